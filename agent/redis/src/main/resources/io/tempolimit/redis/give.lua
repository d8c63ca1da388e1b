-- Takes back tokens that will not be used, where nobody has taken one since: then it is as if they had never been taken.
--
-- KEYS  bucket
-- ARGV  1 how many it had given when the last of them was  2 how many come back  3 interval
-- Gives how many were taken back
local stored = redis.call('MGET', KEYS[1])[1]
local changed, full, given, rest = string.match(stored or '', '^(%-?%d+) (%-?[%d.]+) (%d+)(.*)$')
if not changed or given ~= ARGV[1] or rest ~= '' or not tonumber(full) then return 0 end -- of a window, what has gone for them is not known any more
local n = math.min(tonumber(ARGV[2]), tonumber(given))
redis.call('SET', KEYS[1], string.format('%s %.17g %.0f', changed, tonumber(full) - n * tonumber(ARGV[3]), given - n), 'KEEPTTL')
return n
