-- The probe's holder will have no verdict: the next probe may go at once.
--
-- KEYS  probe
-- ARGV  1 the worker
if redis.call('MGET', KEYS[1])[1] == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
