import { invalid, type Parts, type Patch, Problem, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus } from '../../src/reference/core/store.ts';
import { seeded, variantsOf } from './variant.ts';

/** Another response where the base rejects a limit. */
function badLimit(instead: (text: string) => number | Problem): Patch {
  return (parts) => ({
    parseLimit: (texts) => {
      const limit = parts.parseLimit(texts);
      return limit instanceof Problem ? instead(texts.at(-1) ?? '') : limit;
    },
  });
}

function clamp(text: string): number | Problem {
  if (!/^[+-]?\d+$/.test(text)) return invalid('limit must be an integer', 'invalid_limit');
  return Math.min(100, Math.max(1, Number(text)));
}

function leading(text: string): number {
  const value = Number.parseInt(text, 10);
  return value >= 1 && value <= 100 ? value : 20;
}

/** Responds to bad status filters with a list. */
function badStatus(keepsAll: boolean): Patch {
  return (parts) => ({
    listPets: (context) => {
      const status = parts.parseStatus(context.call.query.getAll('status'));
      if (!(status instanceof Problem)) return parts.listPets(context);
      const arrange: Parts['arrange'] = (store) => (keepsAll ? context.parts.arrange(store) : []);
      return parts.listPets(withParts(context, { parseStatus: () => undefined, arrange }));
    },
  });
}

function badId(status: number): Patch {
  return (parts) => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return id instanceof Problem ? new Problem(status, 'no_such_animal', 'petId names no animal') : id;
    },
  });
}

/** Treatments of parameters outside the document. */
export const parameterVariants = {
  ...variantsOf(seeded(120, 'list.limit-out-of-range'), {
    'limit-clamped': ['A limit out of range is replaced by the nearest bound.', badLimit(clamp)],
    'limit-unprocessable': ['A bad limit returns 422.', badLimit(() => new Problem(422, 'bad_limit', 'limit is out of range'))],
    'limit-bad-as-default': ['A bad limit is ignored.', badLimit(() => 20)],
    'limit-bad-gives-empty-list': ['A bad limit returns an empty list.', badLimit(() => 0)],
    'limit-bad-not-found': ['A bad limit returns 404.', badLimit(() => new Problem(404, 'no_page', 'There is no such page'))],
  }),
  ...variantsOf('list.limit-not-integer', {
    'limit-leading-digits': ['Only the leading digits of a bad limit are read.', badLimit(leading), { seedAnimals: 120 }],
  }),
  ...variantsOf('list.status-unknown', {
    'status-unknown-gives-empty-list': ['An unknown status returns an empty list.', badStatus(false), { seedAnimals: 12 }],
    'status-unknown-ignored': ['An unknown status is ignored.', badStatus(true), { seedAnimals: 12 }],
    'status-unknown-unprocessable': [
      'An unknown status returns 422.',
      (parts) => ({
        parseStatus: (texts) => {
          const status = parts.parseStatus(texts);
          return status instanceof Problem ? new Problem(422, 'bad_status', 'status is unknown') : status;
        },
      }),
    ],
    'status-letter-case-free': [
      'The status filter ignores case and surrounding spaces.',
      (parts) => ({ parseStatus: (texts) => parts.parseStatus(texts.map((text) => text.trim().toLowerCase())) }),
      { seedAnimals: 12 },
    ],
  }),
  ...variantsOf(seeded(40, 'list.repeated-parameters'), {
    'repeated-parameters-first-wins': [
      'The first of repeated parameters wins.',
      (parts) => ({
        parseLimit: (texts) => parts.parseLimit(texts.slice(0, 1)),
        parseStatus: (texts) => parts.parseStatus(texts.slice(0, 1)),
      }),
    ],
    'repeated-parameters-last-wins': [
      'The last of repeated parameters wins.',
      (parts) => ({ parseLimit: (texts) => parts.parseLimit(texts.slice(-1)), parseStatus: (texts) => parts.parseStatus(texts.slice(-1)) }),
    ],
    'repeated-status-is-union': [
      'Several statuses return animals with any of them.',
      (parts) => ({
        listPets: (context) => {
          const wanted = context.call.query.getAll('status');
          if (wanted.length < 2 || !wanted.every(isStatus)) return parts.listPets(context);
          const arrange: Parts['arrange'] = (store) =>
            context.parts.arrange(store).filter(({ status }) => wanted.some((each) => each === status));
          return parts.listPets(withParts(context, { parseStatus: () => undefined, arrange }));
        },
      }),
      { seedAnimals: 12 },
    ],
  }),
  ...variantsOf('list.unknown-parameters', {
    'unknown-parameters-refused': [
      'Unknown query parameters return 400.',
      (parts) => ({
        listPets: (context) => {
          const strange = [...context.call.query.keys()].find((name) => name !== 'limit' && name !== 'status');
          return strange === undefined
            ? parts.listPets(context)
            : problemReply(context, invalid(`${strange} is unknown`, 'unknown_parameter'));
        },
      }),
    ],
  }),
  ...variantsOf(seeded(3, 'get.id-not-integer'), {
    'bad-id-not-found': ['A petId that is not an int64 returns 404.', badId(404)],
    'bad-id-unprocessable': ['A petId that is not an int64 returns 422.', badId(422)],
  }),
  ...variantsOf('get.id-spelling', {
    'id-spelling-free': [
      'petId may be zero-padded or have a plus sign.',
      (parts) => ({ parseId: (text) => parts.parseId(text.replace(/^\+?(-?)0*(?=\d)/, '$1')) }),
      { seedAnimals: 3 },
    ],
  }),
  ...variantsOf('get.id-outside-int64', {
    'id-outside-int64-not-found': [
      'A petId outside int64 returns 404, other bad ones 400.',
      (parts) => ({
        parseId: (text) => {
          const id = parts.parseId(text);
          return id instanceof Problem && /^-?\d+$/.test(text) ? new Problem(404, 'not_found', 'The animal does not exist') : id;
        },
      }),
    ],
  }),
};
