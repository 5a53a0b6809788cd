/**
 * Links to a table for other devices.
 *
 * @import {View} from '../protocol.js'
 */

import { watchTokenFor } from './identity.js';
import { originForOthers } from './qr.js';

/**
 * Where others watch; null if the table is private and this device has nothing to let them in with.
 *
 * @param {View} view
 * @param {string[]} addresses
 * @returns {string | null}
 */
export function watchLink({ table }, addresses) {
  const at = `${originForOthers(addresses)}/t/${table.code}`;
  if (!table.private) return at;
  const token = watchTokenFor(table.code);
  return token ? `${at}#${token}` : null;
}

/**
 * The way from here to a page that watches; a private table's takes along what lets it in.
 *
 * @param {View} view
 * @param {'' | '/display' | '/overlay' | '/sheet' | '/rules'} page
 */
export function watchPage({ table }, page) {
  const token = table.private ? watchTokenFor(table.code) : null;
  return `/t/${table.code}${page}${token ? `#${token}` : ''}`;
}
