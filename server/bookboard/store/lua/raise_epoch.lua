-- Begins a new epoch of a room whose log went back, unless somebody else has done so meanwhile.
--
-- KEYS  1 meta
-- ARGV  1 room  2 feed channel  3 epoch that was seen  4 newest epoch that is known
--
-- Answers nil if there is no room, else the epoch that holds now.

local meta = KEYS[1]
local seen, known = tonumber(ARGV[3]), tonumber(ARGV[4])
local stored = tonumber(redis.call('HGET', meta, 'epoch') or '')
if not stored then
  return false
end
if stored ~= seen then
  return string.format('%.0f', stored)
end
if not known or known < 0 or known >= 9007199254740991 then
  return redis.error_reply('BADCALL arguments of raise_epoch.lua')
end
for _, write in ipairs({ { 'HSET', meta, 'epoch', '' }, { 'SPUBLISH', ARGV[2], '' } }) do
  if not redis.acl_check_cmd(unpack(write)) then
    return redis.error_reply('NOPERM this user may not ' .. write[1])
  end
end

local epoch = math.max(stored, known) + 1
redis.call('HSET', meta, 'epoch', string.format('%.0f', epoch))
-- A FeedMessage in MessagePack, without entries.
local number = struct.pack('>BI4I4', 0xcf, math.floor(epoch / 4294967296), epoch % 4294967296)
redis.call('SPUBLISH', ARGV[2], '\147' .. struct.pack('>BI4', 0xdb, #ARGV[1]) .. ARGV[1] .. number .. '\144')
return string.format('%.0f', epoch)
