-- A worker is alive, or ends.
--
-- KEYS  the workers, a sorted set by the time of their last beat
-- ARGV  1 the worker  2 milliseconds for which a beat counts  3 '1': it ends
-- Gives how many are alive
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + ARGV[2], '+inf') -- beats of before the clock was set back
return redis.call('ZCARD', KEYS[1])
