-- Reads all that is kept of a room, in one step.
--
-- KEYS  1 meta  2 log  3 answers  4 outbox  5 refused letters
--
-- Answers nil if there is no room, else {epoch, deadline or "", entries as XRANGE gives them, answers as HGETALL does,
-- letters and refused letters, each followed by the version it is from}.

local head = redis.call('HMGET', KEYS[1], 'epoch', 'deadline')
if not head[1] then
  return false
end
return {
  head[1], head[2] or '', redis.call('XRANGE', KEYS[2], '-', '+'), redis.call('HGETALL', KEYS[3]),
  redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES'), redis.call('ZRANGE', KEYS[5], 0, -1, 'WITHSCORES'),
}
