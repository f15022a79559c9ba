/** What one person, one channel and one server or workspace may cost. docs/limits.md lists all bounds. */
export const LIMITS = {
  /** Commands in half a minute. Those that search a board count fully, all others as half of one. */
  commandsPerPerson: 20,
  commandsPerChannel: 120,
  /** Relays started in a day, each with a message and perhaps a thread of its own. */
  relaysPerPerson: 5,
  relaysPerChannel: 20,
  /** Races begun in a day, each with a message. */
  racesPerPerson: 5,
  racesPerChannel: 20,
  /** Boards made for a channel in a day, each with a message and a thread of its own. */
  boardsPerPerson: 3,
  boardsPerChannel: 10,
  /** People whom somebody asks in a day to be compared with them, each with a private message. */
  comparisonsPerPerson: 5,
  /** Boards of past days fetched from the newspaper in a day, for everybody together, and for one server, workspace or person. */
  pastDays: 12,
  pastDaysPerTenant: 3,
  /** Remembered hints that a person has seen. Those of typed boards are forgotten first, then the oldest. */
  hintsPerPerson: 1_000,
  /** Buttons with long data that are kept for a person in a channel. The oldest stop working first. */
  buttonsPerPerson: 100,
  /** Requests of a person to personal pages in a minute. */
  pageRequestsPerPerson: 240,
};

export type Limits = Readonly<typeof LIMITS>;
