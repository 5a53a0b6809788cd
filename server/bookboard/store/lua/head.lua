-- Reads where a room stands, and the answer that a command was given, in one step.
--
-- KEYS  1 meta  2 answers
-- ARGV  1 field of the answer
--
-- Answers nil if there is no room, else {epoch, version, answer or nil}.

local head = redis.call('HMGET', KEYS[1], 'epoch', 'version')
if not head[1] then
  return false
end
return { head[1], head[2], redis.call('HGET', KEYS[2], ARGV[1]) }
