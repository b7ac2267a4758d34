import { onTestFinished } from 'vitest';
import { type Passing, startFront } from '../support/front.ts';
import { KEY } from './samples.ts';

type Pet = { id: number; name: string; categoryId: number };
type Reply = Pick<Passing, 'status' | 'headers' | 'body'>;

/** How a service departs from the reference server from now on: receives a request's path and may change its response. */
export type Habit = (path: string, reply: Reply) => Reply;

const lists = (path: string): boolean => /^\/v1\/pets(\?|$)/.test(path);
const succeeded = ({ status }: Reply): boolean => status === 200;

/** Applies a function to every animal in a response, one or many. */
function eachPet(reply: Reply, change: (pet: Pet) => Pet): Reply {
  if (!succeeded(reply)) return reply;
  const value = JSON.parse(reply.body) as Pet | Pet[];
  return { ...reply, body: JSON.stringify(Array.isArray(value) ? value.map(change) : change(value)) };
}

export const HABITS = {
  renames: (_path, reply) => eachPet(reply, (pet) => (pet.id === 2 ? { ...pet, name: 'Renamed' } : pet)),
  recategorizes: (_path, reply) => eachPet(reply, (pet) => (pet.id === 2 ? { ...pet, categoryId: 4711 } : pet)),
  reusesId: (_path, reply) => eachPet(reply, (pet) => (pet.id === 2 ? { ...pet, name: 'Other', categoryId: 4711 } : pet)),
  empties: (path, reply) => (lists(path) && succeeded(reply) ? { ...reply, body: '[]' } : reply),
  silences: (path, reply) =>
    /\/pets\/\d+$/.test(path) && succeeded(reply)
      ? { ...reply, headers: Object.fromEntries(Object.entries(reply.headers).filter(([name]) => name !== 'sunset')) }
      : reply,
  clampsZero: (path, reply) => (/[?&]limit=0(&|$)/.test(path) && reply.status === 400 ? { ...reply, status: 200, body: '[]' } : reply),
} as const satisfies Readonly<Record<string, Habit>>;

/** The reference server behind a front whose habits can change while it runs. */
export async function startChanging() {
  let habit: Habit | undefined;
  const front = await startFront({
    service: { apiKey: KEY, seedAnimals: 12 },
    change: ({ url, requestHeaders, ...reply }) =>
      habit === undefined || requestHeaders.authorization !== `Bearer ${KEY}` ? {} : habit(url, reply),
  });
  onTestFinished(() => front.close());
  return {
    baseUrl: front.baseUrl,
    behave(next: Habit | undefined): void {
      habit = next;
    },
  };
}
