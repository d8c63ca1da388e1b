-- Takes tokens of one key for one worker: bucket, windows, cooldown and probe are decided together, by the server's clock.
-- Times are microseconds. To keep fractions exact they count from 2025-06, so a double has 8 binary digits behind the point.
--
-- KEYS  bucket, incident, probe: all of one key, in one slot; and where something is told, what this worker told last
-- ARGV  1 interval  2 burst  3 how many are wanted  4 longest wait that is accepted, -1: any  5 the worker
--       6 version of the incident that it knows  7 '1': take the bucket for empty at least; '2': tell nobody if it is gone
--       8 length of a probe's lease in milliseconds  9 longest wait for a window that is accepted, -1: any
--       10 which bucket the worker has been given tokens of, 0: none that would still have to be there
--       11 how often that had changed by then  12 under which number something is told, '': nothing is
--       13 by so much later than others the worker may use what it is given: each costs so much more, and counts in windows as of then
--       14 what time it is here by the worker's clock, as it was when it was given tokens last; 0: unknown
--       15... for each window its count, its duration and what is told: what went and is not in it, as milliseconds ago x how many
-- Gives 1 the time  2 'go', 'probe', 'refused', 'closed', 'probed': another worker's probe is under way, 'lost': the windows that had this
--       worker's requests are gone, it is to tell them, or 'later': a record is of a later version  3 how many
--       4 nanoseconds to wait for the first, below 0 if it might have gone
--       earlier; where refused, closed or probed: how long it would have to wait  5 nanoseconds from each to the next
--       6 how many this bucket has given, ever  7 the incident's version  8 which window the first waits for, from 1; 0: none
--       9 which bucket is stored, 0: none  10 how often it has changed  11 the incident, unless that version is known
local NEVER = 3e13 -- a year: what lies further ahead is nobody's
local LEAP = 5e6 -- a call may be under way for some seconds, where a machine has too little CPU

local t = redis.call('TIME')
local now = (t[1] - 1750000000) * 1000000 + t[2]
local interval, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local patience, longest = tonumber(ARGV[4]), tonumber(ARGV[9])
local stored = redis.call('MGET', KEYS[1], KEYS[2]) -- what is no string counts as nothing, and is replaced

-- of a later version of the agent: not to be understood, and not to be written over
for i = 1, 2 do
  local v = string.match(stored[i] or '', '^v(%d+) ')
  if v and v ~= '1' then return { now, 'later' } end
end

local version, at, state, till, pause, since, slowest, smallest
if stored[2] then
  version, at, state, till, pause, since, slowest, smallest =
    string.match(stored[2], '^v1 (%d+) (%-?%d+) %d+ ([0-3]) (%-?%d+) (%d+) (%-?%d+) [0-2] %d+ %-?%d+ %d+ %-?%d+ ([%d.]+) (%d+) %-?%d+ %S+$')
end
version = tonumber(version) or 0
if version > 2^52 or state ~= '0' and state ~= '3' and version > 0 and math.abs(tonumber(till) - now) > NEVER then version = 0 end
slowest, smallest = tonumber(slowest) or 0, tonumber(smallest) or 0
if slowest > interval and slowest < NEVER then interval = slowest end
if smallest > 0 and smallest < burst then burst = smallest end
local tolerance = interval * (burst - 1)
local margin = tonumber(ARGV[13])
local cost = interval + margin

-- the bucket: time of the last change, time at which it is full again, how many it gave, which one it is, how often it has changed
local changed, full, given, id, changes, rest
if stored[1] then
  changed, full, given, id, changes, rest = string.match(stored[1], '^v1 (%-?%d+) (%-?[%d.]+) (%d+) (%d+) (%d+)(.*)$')
end
changed, full, given, id, changes = tonumber(changed), tonumber(full), tonumber(given), tonumber(id), tonumber(changes)
local known, own, tells = tonumber(ARGV[10]), (#ARGV - 14) / 3, ARGV[12] ~= ''
local back, taken = 0, -math.huge
local empty = ARGV[7] == '1'
if not changed or not full or not given or not changes or math.abs(changed - now) > NEVER
    or given > 2^52 or id > 2^52 or changes > 2^52 then
  changed, full, given, id, changes, rest = now, now, 0, 0, 0, ''
else
  back = math.max(0, changed - now) -- the clock was set back, or this is another server: everything moves with it
  local forward = id == known and now - math.max(changed, tonumber(ARGV[14])) or 0
  if known > 0 and forward > LEAP then back = -forward end -- it was set forward, or the worker's stood still
  full, taken = full - back, changed - back
  if full < now then full = now end
  if full > now + tolerance + NEVER then full = now end
end
local lost = known > 0 and (id ~= known or changes < tonumber(ARGV[11])) -- it is gone, or a replica had not heard of the last calls
local earlier = id >= known and id < known + 1000 -- of a replica, perhaps of several
if lost then
  if id == known then id = id + 1 end -- all who have tokens that it has not given are to see that, however often it changes until then
  empty = true
  if ARGV[7] ~= '2' and (own == 0 or tells) then
    redis.pcall('PUBLISH', string.match(KEYS[1], '^(.-):{') .. ':incidents', 'lost ' .. KEYS[1])
  end
end
if empty and full < now + tolerance + interval then full = now + tolerance + interval end

local function answer(what, n, wait, step, window)
  return { now, what, n, math.ceil(wait * 1000), math.ceil(step * 1000), given, version, window or 0, id, changes,
    version ~= tonumber(ARGV[6]) and (stored[2] and version > 0 and stored[2] or '') or nil }
end

-- closed: until the pause is over, and then for all but one
local probe = false
if version > 0 and state ~= '0' then
  local set = math.max(0, tonumber(at) - now)
  local left = math.min(tonumber(till) - set - now, tonumber(pause))
  if state == '3' then return answer('closed', 0, NEVER, 0) end
  if left > 0 then return answer('closed', 0, left, 0) end
  local lease = redis.call('PTTL', KEYS[3])
  if lease == -1 or lease > tonumber(ARGV[8]) then
    redis.call('DEL', KEYS[3]) -- not one of ours
  elseif lease > 0 and redis.call('MGET', KEYS[3])[1] ~= ARGV[5] then -- who asks again although he may probe has not heard that he may
    return answer('probed', 0, lease * 1000, 0)
  end
  -- what was reserved when the pause began is void, and not what a probe has taken since
  full = math.max(now, math.min(full, math.max(tonumber(since) - set, taken) + tolerance + interval))
  if wanted > 0 and full - tolerance - now > 0 then return answer('closed', 0, full - tolerance - now, 0) end
  probe, wanted = true, math.min(wanted, 1)
end

-- Windows: first those that were asked for, then what is stored for workers with other settings. Each is in cells, the oldest
-- first, with the time of a cell's last request and how many it has: up to 60 requests in a cell each, more in cells of a
-- thirtieth of the duration.
if lost and own > 0 and not tells then return answer('lost', 0, 0, 0) end
local windows = {}

local function window(limit, duration)
  local w = { head = ';' .. limit .. ',' .. duration .. ':', limit = tonumber(limit), duration = tonumber(duration),
    last = {}, count = {}, total = 0 }
  w.grain = w.limit > 60 and math.ceil(w.duration / 30) or 1
  w.most = w.limit > 60 and 32 or w.limit
  table.insert(windows, w)
  return w
end

local function enter(w, time, n)
  while #w.last > 0 and time - w.last[1] >= w.duration do
    w.total = w.total - table.remove(w.count, 1)
    table.remove(w.last, 1)
  end
  local c = #w.last
  if c == 0 or c < w.most and math.floor(time / w.grain) > math.floor(w.last[c] / w.grain) then
    c = c + 1
    w.count[c] = 0
  end
  w.last[c] = time
  w.count[c] = w.count[c] + n
  w.total = w.total + n
end

local function fill(w, cells)
  w.stored = true
  local before = -math.huge
  for last, n in string.gmatch(cells, '(%-?%d+)x(%d+)') do
    last, n = tonumber(last) - back, tonumber(n)
    if last < before or last > now + NEVER or n < 1 or n > 2^31 or #w.last >= w.most then
      w.last, w.count, w.total = {}, {}, 0
      return
    end
    before = last
    if probe and last > now then -- reserved before the pause: void, unless its cell has others as well
      -- what was due at once may have gone before its worker heard of it, and counts up to half a second later
      n = math.floor(last / w.grain) * w.grain > now + 600000 and 0 or n
      last = math.min(last, now + 100000)
    end
    if n > 0 then
      table.insert(w.last, last)
      table.insert(w.count, n)
      w.total = w.total + n
    end
  end
end

for i = 15, #ARGV - 2, 3 do window(ARGV[i], ARGV[i + 1]).told = ARGV[i + 2] end
if rest ~= '' then
  for limit, duration, cells in string.gmatch(rest, ';(%d+),(%d+):([^;]*)') do
    local head, is = ';' .. limit .. ',' .. duration .. ':', nil
    for i = 1, own do is = windows[i].head == head and windows[i] or is end
    if is or tonumber(limit) > 0 and tonumber(limit) < 2^31 and tonumber(duration) > 0 and tonumber(duration) < NEVER then
      fill(is or window(limit, duration), cells)
    end
  end
  for i = 1, own do -- new settings: has what the one had that knows most of what it must know
    local w, like = windows[i], nil
    for j = own + 1, w.stored and 0 or #windows do
      local has, had = windows[j].duration, like and like.duration
      if not like or had < w.duration and has > had or has >= w.duration and has < had then like = windows[j] end
    end
    for c = 1, like and #like.last or 0 do enter(w, like.last[c], like.count[c]) end
  end
end

-- What is told, in its place among what is known. Of a bucket as it was earlier, what went before is known.
if tells and redis.call('MGET', KEYS[4])[1] ~= ARGV[12] then
  for i = 1, own do
    local w = windows[i]
    local last, count, c = w.last, w.count, 1
    w.last, w.count, w.total = {}, {}, 0
    for ago, n in string.gmatch(w.told, '(%d+)x(%d+)') do
      local time = now - tonumber(ago) * 1000
      while last[c] and last[c] <= time do
        enter(w, last[c], count[c])
        c = c + 1
      end
      if now - time < w.duration and not (lost and earlier and time < taken) then enter(w, time, tonumber(n)) end
    end
    for j = c, #last do enter(w, last[j], count[j]) end
  end
end

local function earliest(w, time)
  local n, used = #w.last, w.total
  if n > 0 and w.last[n] > time then time = w.last[n] end
  for i = 1, n do
    if time - w.last[i] < w.duration then
      if used < w.limit then break end
      time = w.last[i] + w.duration
    end
    used = used - w.count[i]
  end
  return time
end

local function room(time)
  local held = 0
  for i = 1, own do
    local e = earliest(windows[i], time)
    if e > time then time, held = e, i end
  end
  return math.ceil(time), held
end

if probe and wanted > 0 then
  local time = room(now)
  if time > now then return answer('closed', 0, time - now, 0) end -- like any other request it needs room
end

-- the slots: evenly spaced, or fewer than wanted
local first, step, n, window = full - tolerance, cost, 0, 0
if own == 0 then
  local most = patience < 0 and wanted or math.floor((now + patience - first) / cost) + 1
  n = math.max(0, math.min(wanted, most))
  if wanted > 0 and n < 1 then return answer('refused', 0, first - now, interval) end
  full = full + cost * n
else
  local previous
  while n < wanted do
    local time, held = room(math.max(full - tolerance, previous or now))
    if patience >= 0 and time - now > patience or held > 0 and longest >= 0 and time - now > longest then
      if n == 0 then return answer('refused', 0, time - now, interval, held) end
      break
    end
    if n == 0 then
      first, window = time, held
    elseif n == 1 then
      step = time - previous
    elseif time - previous ~= step then
      break
    end
    for i = 1, own do enter(windows[i], time + margin, 1) end
    full = math.max(full, time) + cost
    previous = time
    n = n + 1
  end
end
given = given + n
if id == 0 then id = math.max(1, now) end
changes = changes + 1
if probe and n > 0 then redis.call('SET', KEYS[3], ARGV[5], 'PX', ARGV[8]) end

local text = { string.format('v1 %.0f %.17g %.0f %.0f %.0f', now, full, given, id, changes) }
local ends = math.max(full, now + 60000000) -- how many it gave is of interest for a minute
for i, w in ipairs(windows) do
  local over = #w.last > 0 and w.last[#w.last] + w.duration or now
  if over > now and i <= own + 4 then
    table.insert(text, w.head)
    for c = 1, #w.last do table.insert(text, string.format('%.0fx%d,', w.last[c], w.count[c])) end
    ends = math.max(ends, over)
  end
end
local lives = string.format('%.0f', math.ceil((ends - now) / 1000) + 1)
redis.call('SET', KEYS[1], table.concat(text), 'PX', lives)
if tells then redis.call('SET', KEYS[4], ARGV[12], 'PX', lives) end
return answer(probe and 'probe' or 'go', n, first - now, step, window)
