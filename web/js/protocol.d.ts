// Made by `make types` from the server's messages: change those, not this.

export type Json = boolean | number | string | null | Json[] | { [key: string]: Json };

export type FromClient = Hello | Do | Preview | Sync | Check | PutBack | Pong;

export type FromServer = Welcome | SnapshotMessage | EventMessage | Forecast | Rewound | Done | Refused | PreviewResult | Checked | Status | Watching | Beat | Bye;

export interface Hello {
  type: "hello";
  room: string;
  token?: string | null;
  screen?: string;
  resume?: Resume | null;
}

export interface Resume {
  epoch: number;
  version: number;
  last: string;
}

export interface Do {
  type: "do";
  cmd: string;
  command: ClaimSeat | LeaveSeat | NameSides | NameTable | HandOver | InvitePlayers | RemovePerson | SetPrivacy | SetRules | StartGame | EndGame | ReopenGame | NextGame | NoteHand | EnterHand | CorrectHand | TakeBackHand | RemoveHand | PauseClock | ResumeClock | ExtendClock;
}

export interface ClaimSeat {
  type: "claim_seat";
  seat: string | null;
  name: string;
  token?: string | null;
  replace?: boolean | string;
}

export interface LeaveSeat {
  type: "leave_seat";
  seat: string;
  person?: string | null;
}

export interface NameSides {
  type: "name_sides";
  names: { [key: string]: string };
}

export interface NameTable {
  type: "name_table";
  name: string;
}

export interface HandOver {
  type: "hand_over";
  person: string;
}

export interface InvitePlayers {
  type: "invite_players";
  token: string;
}

export interface RemovePerson {
  type: "remove_person";
  person: string;
}

export interface SetPrivacy {
  type: "set_privacy";
  private: boolean;
  token?: string | null;
}

export interface SetRules {
  type: "set_rules";
  game: number;
  key: string;
  settings: { [key: string]: Json };
  players?: string[] | null;
}

export interface StartGame {
  type: "start_game";
  game: number;
}

export interface EndGame {
  type: "end_game";
  game: number;
  hand: number;
  revision?: number | null;
}

export interface ReopenGame {
  type: "reopen_game";
  game: number;
  revision?: number | null;
}

export interface NextGame {
  type: "next_game";
  game: number;
  revision?: number | null;
}

export interface NoteHand {
  type: "note_hand";
  game: number;
  hand: number;
  revision: number;
  part: { [key: string]: Json };
  reason?: string;
}

export interface EnterHand {
  type: "enter_hand";
  game: number;
  hand: number;
  revision: number;
  part: { [key: string]: Json };
  reason?: string;
}

export interface CorrectHand {
  type: "correct_hand";
  game: number;
  hand: number;
  revision: number;
  entry: { [key: string]: Json };
  reason?: string;
}

export interface TakeBackHand {
  type: "take_back_hand";
  game: number;
  hand: number;
  revision: number;
}

export interface RemoveHand {
  type: "remove_hand";
  game: number;
  hand: number;
  revision: number;
}

export interface PauseClock {
  type: "pause_clock";
  game: number;
}

export interface ResumeClock {
  type: "resume_clock";
  game: number;
}

export interface ExtendClock {
  type: "extend_clock";
  game: number;
  minutes: number;
  revision: number;
}

export interface Preview {
  type: "preview";
  id: string;
  command: ClaimSeat | LeaveSeat | NameSides | NameTable | HandOver | InvitePlayers | RemovePerson | SetPrivacy | SetRules | StartGame | EndGame | ReopenGame | NextGame | NoteHand | EnterHand | CorrectHand | TakeBackHand | RemoveHand | PauseClock | ResumeClock | ExtendClock;
}

export interface Sync {
  type: "sync";
}

export interface Check {
  type: "check";
  cmds: string[];
}

export interface PutBack {
  type: "put_back";
  id: string;
}

export interface Pong {
  type: "pong";
}

export interface Welcome {
  type: "welcome";
  role: string;
  person: string | null;
  epoch: number;
  version: number;
  last: string;
  now: number;
  heartbeat: number;
  status: Status;
  addresses: string[];
}

export interface Status {
  type: "status";
  store: string;
  since: number;
  clock: ClockChange | null;
}

export interface ClockChange {
  at: number;
  by: number;
  seen: boolean;
}

export interface SnapshotMessage {
  type: "snapshot";
  epoch: number;
  version: number;
  last: string;
  state: View;
  outlook: { [key: string]: Prospect[] };
}

export interface View {
  table: TableView;
  people: PeopleView;
  rules: RulesView;
  game: GameView;
  clock: ClockView;
  in_play: InPlayView;
  hands: HandView[];
  past: PastGameView[];
}

export interface TableView {
  code: string;
  name: string;
  host: string;
  private: boolean;
}

export interface PeopleView {
  names: { [key: string]: string };
  seats: { [key: string]: string };
  sides: { [key: string]: string };
  gone: string[];
}

export interface RulesView {
  key: string;
  version: number;
  title: string;
  settings: { [key: string]: Json };
  fingerprint: string;
  fields: Field[];
}

export interface Field {
  member: string;
  label: string;
  kind: "choice" | "number" | "numbers" | "side";
  choices: Choice[];
  low: number;
  high: number;
  optional: boolean;
}

export interface Choice {
  value: Json;
  label: string;
}

export interface GameView {
  number: number;
  phase: "over" | "playing" | "waiting";
  sides: string[];
  seats: string[];
  started_at: number | null;
  scores: { [key: string]: number };
  standing: { [key: string]: { [key: string]: boolean | number | string | null } };
  outcome: Outcome | null;
  ended_by_host: ByView | null;
  removed: RemovedHandView[];
}

export interface Outcome {
  winner: string | null;
  reason: string;
}

export interface ByView {
  by: string;
  at: number;
}

export interface RemovedHandView {
  id: number;
  number: number;
  entry: { [key: string]: Json };
  by: string;
  at: number;
}

export interface ClockView {
  deadline: number | null;
  left: number | null;
  expired_after: number | null;
  last_hand: boolean;
  extra: boolean;
}

export interface InPlayView {
  id: number;
  hand: number;
  dealer: string;
  order: string[];
  wants: string[];
  entry: { [key: string]: Json };
  noted_by: { [key: string]: ByView };
}

export interface HandView {
  id: number;
  number: number;
  dealer: string;
  entry: { [key: string]: Json };
  sides: { [key: string]: SideResult };
  entered: ByView;
  corrections: CorrectionView[];
  reason: string;
}

export interface SideResult {
  points: number;
  score: number;
  lines: Line[];
  figures: { [key: string]: boolean | number | string | null };
}

export interface Line {
  rule: string;
  points: number;
  facts: { [key: string]: boolean | number | string | null };
}

export interface CorrectionView {
  by: string;
  at: number;
  before: { [key: string]: Json };
}

export interface PastGameView {
  number: number;
  key: string;
  scores: { [key: string]: number };
  winner: string | null;
  reason: string | null;
}

export interface Prospect {
  what: string;
  low: number;
  high: number;
  nils: string[];
}

export interface EventMessage {
  type: "event";
  epoch: number;
  version: number;
  id: string;
  prev: string;
  at: number;
  by: string;
  kind: string;
  hand: number | null;
  hand_id: number | null;
  changes: Changes;
}

export interface Changes {
  table?: TableView;
  people?: PeopleView;
  rules?: RulesView;
  game?: GameView;
  clock?: ClockView;
  in_play?: InPlayView;
  hands?: HandsChange;
  past?: PastGameView[];
}

export interface HandsChange {
  keep: number;
  hands: HandView[];
  shifted?: ShiftedHands;
}

export interface ShiftedHands {
  ids: number[];
  number?: number[];
  dealer?: string[];
  score?: { [key: string]: number[] };
  figures?: { [key: string]: { [key: string]: (boolean | number | string | null)[] } };
}

export interface Forecast {
  type: "outlook";
  epoch: number;
  version: number;
  outlook: { [key: string]: Prospect[] };
}

export interface Rewound {
  type: "rewound";
  epoch: number;
  game: number;
  hands: number[];
  complete: boolean;
}

export interface Done {
  type: "done";
  cmd: string;
  version: number;
  repeated: boolean;
  by: string | null;
  at: number | null;
}

export interface Refused {
  type: "refused";
  cmd: string;
  code: RefusalCode;
  facts: { [key: string]: boolean | number | string | null };
  retry: boolean;
  field?: string | null;
  current?: Current | null;
}

export type RefusalCode =
  | "bad_forfeit"
  | "bad_round"
  | "bad_score"
  | "bad_winner"
  | "bid_below_minimum"
  | "bid_given_twice"
  | "bids_missing"
  | "bids_not_allowed"
  | "blind_not_allowed"
  | "books_do_not_add_up"
  | "books_missing"
  | "cards_missing"
  | "clock_paused"
  | "clock_running"
  | "conflict"
  | "duplicate_entrant"
  | "entrant_twice"
  | "failed"
  | "first_seven_needs_7_books"
  | "first_seven_off"
  | "game_not_over"
  | "game_over"
  | "game_would_end_earlier"
  | "host_only"
  | "host_stays"
  | "invalid_allowed"
  | "invalid_bid"
  | "invalid_bonus"
  | "invalid_books"
  | "invalid_cards"
  | "invalid_players"
  | "invalid_setting"
  | "invalid_trump"
  | "log_full"
  | "malformed"
  | "name_needed"
  | "name_taken"
  | "nil_off"
  | "no_clock"
  | "no_time_limit"
  | "not_a_nil_bidder"
  | "not_found"
  | "not_lost"
  | "not_started"
  | "other_origin"
  | "read_only"
  | "rules_fixed"
  | "seat_needed"
  | "seat_taken"
  | "server_full"
  | "stored_too_fast"
  | "table_full"
  | "time_is_up"
  | "token_taken"
  | "too_fast"
  | "too_few"
  | "too_many_blinds"
  | "too_many_hands"
  | "two_sides_only"
  | "unavailable"
  | "unknown_criterion"
  | "unknown_entrant"
  | "unknown_field"
  | "unknown_game"
  | "unknown_method"
  | "unknown_person"
  | "unknown_rules"
  | "unknown_seat"
  | "unknown_setting"
  | "unknown_side"
  | "weak_token"
  | "would_break_hand";

export interface Current {
  game: number;
  hand: number;
  number: number;
  scored: HandView | null;
  in_play: { [key: string]: Json } | null;
}

export interface PreviewResult {
  type: "preview";
  id: string;
  hand: HandView | null;
  changed: HandView[];
  excused: { [key: string]: string[] };
  scores: { [key: string]: number };
  outcome: Outcome | null;
}

export interface Checked {
  type: "checked";
  cmds: string[];
  missing: string[];
}

export interface Watching {
  type: "watching";
  screens: number;
}

export interface Beat {
  type: "beat";
  now: number;
}

export interface Bye {
  type: "bye";
  code: string;
  reconnect_in: number | null;
}

export type FinalCloseCode = 3500 | 3501 | 3502;
