import type { Do, Forecast, GameView, Json, Refused } from '../protocol.js';

export type AnyCommand = Do['command'];

/** One hand as people enter it, complete or in play: the game record's. */
export type Entry = { [key: string]: Json };

export type SidesOutlook = Forecast['outlook'];
/** Why something was refused: by the server, or by the page itself. */
export interface Refusal extends Pick<Refused, 'facts' | 'field'> {
  code: Refused['code'] | 'offline' | 'no_rules_in_file' | 'other_game';
}

export type Standing = GameView['standing'][string];
export type Fact = Standing[string];

/** One setting's declaration, as `GET /api/games` gives it. */
export interface Setting {
  key: string;
  label: string;
  group: string;
  help: string;
  source: string;
  default: Json;
  choices: { value: Json; label: string }[];
  low: number | null;
  high: number | null;
  unit: string;
  hidden_when: { [key: string]: Json }[];
}

export type Settings = { [key: string]: Json };

export interface GameOffer {
  key: string;
  version: number;
  title: string;
  seats: string[];
  overrides: string[];
  settings: Setting[];
  presets: { key: string; label: string; settings: Settings }[];
}

/** A sentence about a setting, by its key, or about what always holds; `text` is its place under `rules`. */
export interface Sentence {
  about: string;
  group: string;
  text: string;
  facts: { [key: string]: Fact };
}

/** A set of rules in words, as `/api/rules` gives it. */
export interface RulesInWords {
  key: string;
  title: string;
  settings: Settings;
  fingerprint: string;
  code: string;
  sentences: Sentence[];
  why: { [rule: string]: string };
}
