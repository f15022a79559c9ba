/** Those who chat here: made up, so that one person can see what others see of it. */
export interface WebPerson {
  readonly id: string;
  readonly name: string;
  readonly mayManage: boolean;
}

export const PEOPLE: readonly WebPerson[] = [
  { id: 'ada', name: 'Ada', mayManage: true },
  { id: 'ben', name: 'Ben', mayManage: false },
  { id: 'cleo', name: 'Cleo', mayManage: false },
];

export function personOf(id: unknown): WebPerson | undefined {
  return PEOPLE.find((person) => person.id === id);
}
