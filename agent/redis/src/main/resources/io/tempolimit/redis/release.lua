-- The probe's holder will have no verdict: the next probe may go at once, from anywhere, and who waits for that is told.
--
-- KEYS  probe
-- ARGV  1 the worker  2 channel
if redis.call('MGET', KEYS[1])[1] ~= ARGV[1] then return 0 end
redis.pcall('PUBLISH', ARGV[2], 'given up ' .. KEYS[1]) -- a user may lack the right to
return redis.call('DEL', KEYS[1])
