-- A worker is alive, or ends, or could share again after it was alone.
--
-- KEYS  the workers, a sorted set by the time of their last beat; two members are none: 'back' has the time at which all share
--       again, and 'held' when somebody last waited for that
-- ARGV  1 the worker  2 milliseconds for which a beat counts  3 '0': it is alive, '1': it ends, '2': it could share again
--       4 of one that shares: the moment that it has heard of; else ''
-- Gives how many are alive, and in how many milliseconds those share again who could
local TOGETHER = 3000 -- so long the first waits for the others
local LATE = 1000 -- and who comes later than all by so much waits for nobody
local HELD = 500 -- who waits says so each 200: if nobody has, Redis was gone meanwhile, and the time is that of an earlier return
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
local back = tonumber(redis.pcall('ZSCORE', KEYS[1], 'back')) -- a user may lack the right to
local held = tonumber(redis.pcall('ZSCORE', KEYS[1], 'held')) or 0
if back and (now - back > LATE or back - now > TOGETHER or math.min(now, back) - held > HELD) then
  redis.call('ZREM', KEYS[1], 'back', 'held')
  back = nil
end
if ARGV[3] == '2' then
  if not back then
    back = now + TOGETHER
    redis.pcall('PUBLISH', string.match(KEYS[1], '^(.*):workers$') .. ':incidents', string.format('returns %.0f', back))
  end
  redis.call('ZADD', KEYS[1], back, 'back', now, 'held')
elseif back and back > now and string.format('%.0f', back) == ARGV[4] then
  back = now -- somebody shares still, and has the whole rate: who waits takes his part beside it
  redis.call('ZADD', KEYS[1], back, 'back')
end
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + ARGV[2], '+inf') -- beats of before the clock was set back
return { redis.call('ZCARD', KEYS[1]) - (back and 2 or 0), back and math.max(0, back - now) or 0 }
