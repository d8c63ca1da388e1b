-- Writes what a worker made of a key's incident, unless another one has written meanwhile; then gives that one's, to judge anew.
--
-- KEYS  bucket, incident, probe
-- ARGV  1 the version that it was made from  2 '1': the bucket is to be empty, for the key opens  3 interval  4 burst
--       5 channel  6 the key's name  7 milliseconds for which the record is worth keeping
--       8 epoch  9 state  10 until  11 pause  12 since  13 tripped  14 trips  15 last trip  16 count  17 counted
--       18 learned interval  19 learned burst  20 saved  21 what was learned
--       10, 12, 15, 17 and 20 are microseconds from now, most of them below 0
--       22 which bucket the worker has been given tokens of, 0: none that would still have to be there
--       23 what time it is here by the worker's clock, as it was when it was given tokens last
-- Gives 1 the time  2 1 if it was written, else 0  3 the record that is there now
local NEVER = 3e13
local LEAP = 5e6 -- as in take.lua
local t = redis.call('TIME')
local now = (t[1] - 1750000000) * 1000000 + t[2]
local stored = redis.call('MGET', KEYS[2], KEYS[1])
for i = 1, 2 do -- of a later version of the agent: not to be understood, and not to be written over
  local v = string.match(stored[i] or '', '^v(%d+) ')
  if v and v ~= '1' then return { now, 0, stored[i] } end
end
local version, state, till
if stored[1] then
  version, state, till = string.match(stored[1],
    '^v1 (%d+) %-?%d+ %d+ ([0-3]) (%-?%d+) %d+ %-?%d+ [0-2] %d+ %-?%d+ %d+ %-?%d+ [%d.]+ %d+ %-?%d+ %S+$')
end
version = tonumber(version) or 0
if version > 2^52 or state ~= '0' and state ~= '3' and version > 0 and math.abs(tonumber(till) - now) > NEVER then version = 0 end
if version > 0 and version ~= tonumber(ARGV[1]) then return { now, 0, stored[1] } end
-- There is none, or the server has forgotten it and learns it again: from now on numbers are unlike any that somebody else
-- may know, who may have known more than this worker.
if version == 0 then version = math.max(tonumber(ARGV[1]), math.floor(now / 1000000) * 2 ^ 20) end

local record = { 'v1', string.format('%.0f', version + 1), string.format('%.0f', now) }
for i = 8, 21 do
  local field = ARGV[i]
  if i == 10 or i == 12 or i == 15 or i == 17 or i == 20 then field = string.format('%.0f', now + tonumber(field)) end
  table.insert(record, field)
end
record = table.concat(record, ' ')
redis.call('SET', KEYS[2], record, 'PX', ARGV[7])
if ARGV[2] == '1' then
  -- What was reserved before the pause is void. Windows keep what is in them, but nothing for a time that has not come.
  local interval, burst = tonumber(ARGV[3]), tonumber(ARGV[4])
  local changed, given, id, changes, rest = string.match(stored[2] or '', '^v1 (%-?%d+) %-?[%d.]+ (%d+) (%d+) (%d+)(.*)$')
  changed = tonumber(changed) or now
  local back = math.max(0, changed - now)
  local forward = id == ARGV[22] and now - math.max(changed, tonumber(ARGV[23])) or 0
  if forward > LEAP then back = -forward end -- the clock was set forward during the pause, or the worker's stood still
  local ends = now + 60000000
  rest = string.gsub(rest or '', '(;(%d+),(%d+):)([^;]*)', function(head, limit, duration, cells)
    local grain = tonumber(limit) > 60 and math.ceil(duration / 30) or 1
    return head .. string.gsub(cells, '(%-?%d+)x(%d+),', function(last, n)
      last = last - back
      -- what is due at once may have gone before its worker hears of this, and counts up to half a second later
      return math.floor(last / grain) * grain > now + 600000 and '' or string.format('%.0fx%s,', math.min(last, now + 100000), n)
    end)
  end)
  for duration in string.gmatch(rest, ';%d+,(%d+):') do ends = math.max(ends, now + math.min(NEVER, tonumber(duration))) end
  local full = now + interval * burst
  -- nothing of before can be given back any more
  given, id, changes = (tonumber(given) or 0) + 1, tonumber(id) or math.max(1, now), (tonumber(changes) or 0) + 1
  redis.call('SET', KEYS[1], string.format('v1 %.0f %.17g %.0f %.0f %.0f', now, full, given, id, changes) .. rest,
    'PX', string.format('%.0f', math.ceil((math.max(ends, full) - now) / 1000) + 1))
end
redis.call('DEL', KEYS[3])
redis.pcall('PUBLISH', ARGV[5], string.format('%.0f', now) .. ' ' .. record .. ' ' .. ARGV[6]) -- a user may lack the right to
return { now, 1, record }
