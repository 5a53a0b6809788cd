-- Strikes a letter out that was taken, or keeps it among those that were refused.
--
-- KEYS  1 outbox  2 refused letters  3 list of outboxes (sorted sets)
-- ARGV  1 room  2 letter  3 what to keep of a letter that was refused, or "" if it was taken

local version = redis.call('ZSCORE', KEYS[1], ARGV[2])
if version then
  if ARGV[3] ~= '' then
    redis.call('ZADD', KEYS[2], version, ARGV[3])
  end
  redis.call('ZREM', KEYS[1], ARGV[2])
end
if redis.call('ZCARD', KEYS[1]) == 0 then
  redis.call('ZREM', KEYS[3], ARGV[1])
end
return redis.status_reply('OK')
