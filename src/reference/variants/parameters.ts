import type { Parts } from '../core/parts.ts';
import { isStatus } from '../core/pet.ts';
import { invalid, Problem } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { type Variant, variant } from './variant.ts';

const outOfRange = 'list.limit-out-of-range';
const unknown = 'list.status-unknown';

/** Another answer where the base refuses a limit. */
function badLimit(name: string, leaves: string, summary: string, instead: (text: string) => number | Problem): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    parseLimit: (texts) => {
      const limit = parts.parseLimit(texts);
      return limit instanceof Problem ? instead(texts.at(-1) ?? '') : limit;
    },
  });
  return variant(name, leaves, summary, replace, { seedAnimals: 120 });
}

function clamp(text: string): number | Problem {
  if (!/^[+-]?\d+$/.test(text)) return invalid('limit must be an integer', 'invalid_limit');
  return Math.min(100, Math.max(1, Number(text)));
}

function leading(text: string): number {
  const value = Number.parseInt(text, 10);
  return value >= 1 && value <= 100 ? value : 20;
}

/** Answers bad status filters with a list. */
function badStatus(name: string, summary: string, keepsAll: boolean): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    listPets: (context) => {
      const status = parts.parseStatus(context.call.query.getAll('status'));
      if (!(status instanceof Problem)) return parts.listPets(context);
      const arrange: Parts['arrange'] = (store) => (keepsAll ? context.parts.arrange(store) : []);
      return parts.listPets({ ...context, parts: { ...context.parts, parseStatus: () => undefined, arrange } });
    },
  });
  return variant(name, unknown, summary, replace, { seedAnimals: 12 });
}

function badId(name: string, summary: string, status: number): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return id instanceof Problem ? new Problem(status, 'no_such_animal', 'petId names no animal') : id;
    },
  });
  return variant(name, 'get.id-not-integer', summary, replace, { seedAnimals: 3 });
}

/** Treatments of parameters outside the document. */
export const parameterVariants: readonly Variant[] = [
  badLimit('limit-clamped', outOfRange, 'A limit out of range counts as the nearest bound.', clamp),
  badLimit('limit-unprocessable', outOfRange, 'A bad limit is answered 422.', () => new Problem(422, 'bad_limit', 'limit is out of range')),
  badLimit('limit-bad-as-default', outOfRange, 'A bad limit counts as none.', () => 20),
  badLimit('limit-bad-gives-empty-list', outOfRange, 'A bad limit gives an empty list.', () => 0),
  badLimit('limit-bad-not-found', outOfRange, 'A bad limit is answered 404.', () => new Problem(404, 'no_page', 'There is no such page')),
  badLimit('limit-leading-digits', 'list.limit-not-integer', 'Of a bad limit the leading digits count.', leading),
  badStatus('status-unknown-gives-empty-list', 'An unknown status gives an empty list.', false),
  badStatus('status-unknown-ignored', 'An unknown status is ignored.', true),
  variant('status-unknown-unprocessable', unknown, 'An unknown status is answered 422.', (parts) => ({
    parseStatus: (texts) => {
      const status = parts.parseStatus(texts);
      return status instanceof Problem ? new Problem(422, 'bad_status', 'status is unknown') : status;
    },
  })),
  variant(
    'status-letter-case-free',
    unknown,
    'The status filter is read without letter case and blanks.',
    (parts) => ({
      parseStatus: (texts) => parts.parseStatus(texts.map((text) => text.trim().toLowerCase())),
    }),
    { seedAnimals: 12 },
  ),
  variant(
    'repeated-parameters-first-wins',
    'list.repeated-parameters',
    'Of repeated parameters the first counts.',
    (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.slice(0, 1)),
      parseStatus: (texts) => parts.parseStatus(texts.slice(0, 1)),
    }),
    { seedAnimals: 40 },
  ),
  variant(
    'repeated-parameters-last-wins',
    'list.repeated-parameters',
    'Of repeated parameters the last counts.',
    (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.slice(-1)),
      parseStatus: (texts) => parts.parseStatus(texts.slice(-1)),
    }),
    { seedAnimals: 40 },
  ),
  variant(
    'repeated-status-is-union',
    'list.repeated-parameters',
    'Several statuses give animals of any of them.',
    (parts) => ({
      listPets: (context) => {
        const wanted = context.call.query.getAll('status');
        if (wanted.length < 2 || !wanted.every(isStatus)) return parts.listPets(context);
        const arrange: Parts['arrange'] = (store) =>
          context.parts.arrange(store).filter(({ status }) => wanted.some((each) => each === status));
        return parts.listPets({ ...context, parts: { ...context.parts, parseStatus: () => undefined, arrange } });
      },
    }),
    { seedAnimals: 12 },
  ),
  variant('unknown-parameters-refused', 'list.unknown-parameters', 'Unknown query parameters are answered 400.', (parts) => ({
    listPets: (context) => {
      const strange = [...context.call.query.keys()].find((name) => name !== 'limit' && name !== 'status');
      return strange === undefined ? parts.listPets(context) : problemReply(context, invalid(`${strange} is unknown`, 'unknown_parameter'));
    },
  })),
  badId('bad-id-not-found', 'A petId that is no int64 is answered 404.', 404),
  badId('bad-id-unprocessable', 'A petId that is no int64 is answered 422.', 422),
  variant(
    'id-spelling-free',
    'get.id-spelling',
    'petId may be zero-padded or have a plus sign.',
    (parts) => ({
      parseId: (text) => parts.parseId(text.replace(/^\+?(-?)0*(?=\d)/, '$1')),
    }),
    { seedAnimals: 3 },
  ),
  variant('id-outside-int64-not-found', 'get.id-outside-int64', 'A petId outside int64 is answered 404, other bad ones 400.', (parts) => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return id instanceof Problem && /^-?\d+$/.test(text) ? new Problem(404, 'not_found', 'The animal does not exist') : id;
    },
  })),
];
