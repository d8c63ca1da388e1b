-- Takes back tokens that will not be used, where nobody has taken one since: then it is as if they had never been taken.
--
-- KEYS  bucket
-- ARGV  1 how many it had given when the last of them was  2 how many come back  3 interval  4 which bucket it was
-- Gives how many were taken back
local stored = redis.call('MGET', KEYS[1])[1]
local changed, full, given, id, changes, rest = string.match(stored or '', '^v1 (%-?%d+) (%-?[%d.]+) (%d+) (%d+) (%d+)(.*)$')
-- of a window, what has gone for them is not known any more
if not changed or id ~= ARGV[4] or given ~= ARGV[1] or rest ~= '' or not tonumber(full) then return 0 end
local n = math.min(tonumber(ARGV[2]), tonumber(given))
full = tonumber(full) - n * tonumber(ARGV[3])
redis.call('SET', KEYS[1], string.format('v1 %s %.17g %.0f %s %s', changed, full, given - n, id, changes), 'KEEPTTL')
return n
