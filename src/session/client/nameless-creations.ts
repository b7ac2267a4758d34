// Animals that were created although the response to the creation names none: lists show which they are.

import { Halt } from '../../clause/halt.ts';
import { petViews } from '../../schema/pet.ts';
import { type Exchange, PET_STATUSES } from '../../wire/exchange.ts';
import { isJsonObject, readJson } from '../../wire/json.ts';
import type { Dialect } from '../dialect.ts';
import type { ListParameters } from './api.ts';

const LISTS: readonly ListParameters[] = [{ limit: 100 }, {}, ...PET_STATUSES.map((status) => ({ status, limit: 100 }))];
/** The number of consecutive creations that no list shows after which no other is looked for: the pages are full. */
const MOST_MISSED = 4;

function nameIn({ request: { body } }: Exchange): string | undefined {
  const reading = typeof body === 'string' ? readJson(body) : undefined;
  const name = reading?.ok === true && isJsonObject(reading.value) ? reading.value['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function idsOf(name: string, { outcome }: Exchange): readonly bigint[] {
  if (outcome.kind === 'failed' || outcome.answer.status !== 200 || !outcome.answer.json.ok) return [];
  const { value } = outcome.answer.json;
  const pets = petViews(Array.isArray(value) ? value : []).filter((pet) => pet !== undefined);
  return pets.filter((pet) => pet.name === name).map(({ id }) => id);
}

/**
 * Finds created animals if responses to creations name none: lists are searched for the name, which is unique. The list that showed the
 * last one is requested first.
 */
export function createSeeker({
  dialect,
  list,
}: {
  readonly dialect: Dialect;
  readonly list: (query: ListParameters) => Promise<Exchange>;
}) {
  let lists = LISTS;
  let missed = 0;
  const found = new Set<bigint>();

  async function find(name: string): Promise<bigint | undefined> {
    for (const query of lists) {
      const [id, other] = idsOf(name, await list(query));
      if (id === undefined) continue;
      lists = [query, ...LISTS.filter((one) => one !== query)];
      // If two animals have the name, it is unknown which one the creation made.
      return other === undefined ? id : undefined;
    }
    return undefined;
  }

  return {
    async seek(exchange: Exchange): Promise<void> {
      for (const nameless of dialect.nameless(exchange)) {
        const name = nameIn(nameless);
        if (name === undefined || missed >= MOST_MISSED) continue;
        try {
          const id = await find(name);
          missed = id === undefined ? missed + 1 : 0;
          // If a name is sent twice, the page may show only the first animal.
          if (id === undefined || found.has(id)) continue;
          found.add(id);
          dialect.identify(nameless, id);
        } catch (error) {
          // Nothing more may be sent: the creation keeps its response.
          if (!(error instanceof Halt)) throw error;
        }
      }
    },
  };
}
