import { appendFileSync, readFileSync } from 'node:fs';
import type { Kind } from './asked.ts';
import { conditionsOf, type DefectResult, UNCONDITIONAL } from './defects.ts';

// Whether a report is right about when a clause is broken: the condition of a defect of the grid is known.

const EARLY =
  /until this run had created|before this run (?:had )?created|within [\d.]+ s of the start|in the first \d+ requests|for ids? (?:up to )?\d/;
const LATE =
  /once this run had created|from [\d.]+ s after the start on|[\d.]+ s after the start|from request \d+ of|for ids? (?:from )?\d/;
/** Ids are given in the order of creation. */
const EARLY_OR_LATE = new RegExp(`${EARLY.source}|${LATE.source}`);
const AFTER_LIST = /right after GET \/pets(?! *\/|\/)|on which GET \/pets has/;

/**
 * What a report may say for the condition of the defect: the condition itself, a part of it, or something that a run can't distinguish from
 * it: ids grow with the number of animals. Conditions without an entry can't be expressed.
 */
const SAYABLE: Readonly<Record<string, RegExp>> = {
  'one of the first three': EARLY,
  'from the 30th on': LATE,
  'from the 500th request of any kind on': LATE,
  'after a list': AFTER_LIST,
  'after a creation': /right after POST \/pets|returned 201|right after a 201|just returned 201/,
  'after a read': /right after GET \/pets\/\{petId\}|on which GET \/pets\/\{petId\}/,
  'after a filtered list': /GET \/pets with a status/,
  'after a rejection': /right after an error|right after .*4\d\d|just returned 4\d\d/,
  'after a 400': /right after .*400|just returned 400/,
  'after a 401': /right after .*401|just returned 401/,
  'after a 404': /right after .*404|just returned 404/,
  'after a pause of 100 ms': /without any request/,
  'without any pause': /within \d+ ms|within 0\.0\d s|without a pause|under way/,
  'with another request under way': /under way/,
  'with three others under way': /under way/,
  'first on its connection': /new connection|in request 1 of its connection/,
  'second on its connection': /in request 2 of its connection|used before|just returned|in the first \d requests of its connection/,
  'every 3rd on its connection': /every 3rd (?:request|time)|in request \d+ of its connection|of its connection on/,
  'from the 20th on its connection on': /from request \d+ of its connection on|in request \d+ of its connection/,
  'with Accept: application/json': /accept/i,
  'with another Accept, or none': /accept/i,
  'with Accept-Encoding': /accept-encoding/i,
  'without Accept-Encoding': /accept-encoding/i,
  'without User-Agent': /user-agent/i,
  'a store of 10 to 14': /had created|after the start|of the start|for ids?/,
  'a store of at most 20': EARLY,
  'a store of more than 20': LATE,
  'a store of more than 60': LATE,
  'a store of more than 100': LATE,
  'an even store': /(?:odd|even) ids/,
  'no parameters': /without parameters|without a limit|without a status/,
  'no limit': /without a limit/,
  'limit 1': /limit=1\b/,
  'limit 2 to 5': /limit=[2-5]\b|limit of [1-6] /,
  'limit 20': /limit=20\b/,
  'limit 40 to 45': /in lists of 4[0-5] to 4[0-5] animals|limit=4[0-5]\b|limit of [34]\d/,
  'limit over 50': /limit of (?:4\d|5\d) or more|limit=\d\d/,
  'limit 100': /limit=100\b/,
  'an odd limit': /odd limit/,
  'status available': /available/,
  'status pending': /pending/,
  'status sold': /sold/,
  'no status': /without a status/,
  'status without limit': /without a limit|with a status/,
  'status and limit': /both a limit and a status|with a status|with a limit/,
  'status before limit': /status before limit/,
  'a page with room': /with room|lists of .* or less|full lists/,
  'a full page': /full lists/,
  'more than 30 animals': /in lists of [23]\d animals|limit of (?:2\d|3\d) or more|limit=/,
  'at most two animals': /in lists of [12] animals|limit=[12]\b|limit of [12] or less/,
  'a name of at most 8 letters': /name of \d+ (?:characters|letters) or less|name of [0-8] /,
  'a name of more than 15 letters': /name of/,
  'a name with b': /letter b in the name/,
  'a name with a capital': /capital/,
  'a name that ends in a vowel': /ends in a vowel/,
  'an even category': /even categoryId|categoryId [02468]/,
  'a category of at least 4': /categoryId (?:of )?[4-9]|categoryId [4-9]|or more/,
  'categoryId written first': /categoryId"? (?:as the )?first|first member|reverse order|members/i,
  'status written before name': /before name|first member|reverse order|members|"status" as the first/i,
  'a body with line ends': /line ends|white space/,
  'a body of more than 60 bytes': /body of \d+ bytes|name of|white space|member/,
  'an id of two digits': EARLY_OR_LATE,
  'an id of three digits': EARLY_OR_LATE,
  'an odd id': /odd ids/,
  'an id of one digit': /for ids? |there before/,
  'the newest': /newest|for ids? from/,
  'one of the newest ten': /newest|for ids? from/,
  'the oldest': /for ids? \d|there before/,
  'the first read': /request 1 of|first/,
  'an available one': /available/,
  'a pending one': /pending/,
  'a sold one': /sold/,
  'one of an even category': /even categoryId|categoryId/,
  'one with a name of more than 12 letters': /name of/,
  'one that was there from the start': /there before|for ids? up to/,
  'one created since the start': /this run created|created|for ids? from/,
  'one older than a second': /or earlier|for ids? up to/,
  'one younger than 100 ms': / old: |created less than|newest|right after POST/,
  'a list': /GET \/pets(?!\/)/,
  'a creation': /POST/,
  'a read': /GET \/pets\/\{petId\}/,
  'a 401': /Authorization|key|credential/i,
  'no credential': /no Authorization|without an Authorization/,
  'a wrong key': /Authorization|key|token/i,
  'a wrong key of more than 20 letters': /Authorization|key|token/i,
  'an empty key': /Authorization|key|empty|token/i,
  'another scheme': /Authorization|scheme|key/i,
  'no credential and a status': /status|Authorization/,
  'no name': /without a name|name/,
  'a name that is no text': /name/,
  'no categoryId': /categoryId/,
  'a categoryId that is text': /categoryId/,
  'a categoryId with a fraction': /categoryId/,
  'an unknown status': /status/,
  'a status that is no text': /status/,
  'a body that is no JSON': /JSON|body/,
  'no body': /body/,
  'a body that is no object': /object|body/,
  'an id that is the next': /for ids? /,
  'an id beyond 32 bits': /for ids? /,
  'id 0 or less': /for ids? /,
  'every 2nd': /every 2nd time/,
  'every 50th request of any kind': /about every (?:4\d|5\d)/,
  'every 40th': /about every (?:[34]\d)/,
  'every 19th': /about every (?:1[89]|2\d)/,
  'every 7th': /about every [678]|every 7th time/,
  'after the same target': /same URL/,
  'every third id': /for ids that 3 divides/,
  'an id that five divides': /for ids that 5 divides|about every 5th valid POST/,
  'the same status as before': /the creation before/,
  'the same category as before': /the creation before/,
  'another category than before': /the creation before/,
  'a longer name than before': /the creation before/,
  'as many animals as the limit': /exactly as many/,
  'the second read': /read 2 of/,
  'from the fourth read on': /from read [34] of/,
};

/** Effects on a certain position in a list: naming the animal there is as true as naming the time. */
const OF_A_PLACE =
  /^list: (?:the (?:first|last)|omits|exchanges|shows the (?:first|last))|(?:removes|evicts|renames|moves|sells) the oldest/;
const IDS = /for ids? /;
/** Effects on the length of a list: they show only in full lists, or only in those with room. */
const OF_A_LENGTH = /than the limit|ignores the limit|shows at most|cuts before it filters/;
const FULL = /full lists|with room/;
/** An effect that gives an animal what the creation before had shows only where that differs. */
const OF_LAST_CREATION = /of the creation before/;
const THAN_LAST = /than the creation before/;
/** For effects on every second request, ids are also correct. */
const EVERY_SECOND = /\(every 2nd\)$/;
const PARITY = /(?:even|odd) ids/;

/** `unsayable`: reports have no words for the condition. `unconditional`: there is none. */
export const TELLINGS = ['right', 'silent', 'wrong', 'unsayable', 'unconditional'] as const;
export type Telling = (typeof TELLINGS)[number];

/** Facts and not guesses: it is broken each time, or each time in one operation. */
const EACH_TIME =
  /^(?:nearly )?each time|^only with the API key: |^only in [A-Z]+ [^ :]+ and (?:where|in \d+ responses|in successful responses)[^:]*: |^only (?:where|in (?:\d+|successful|error) responses)(?:(?! and )[^:])*: |^only in [A-Z]+ [^ :]+: /;

/** Whether the report's text about when its clauses are broken is right for the defect with that name. Facts count as silence. */
export function tellingOf(name: string, texts: readonly string[]): Telling {
  const conditions = conditionsOf(name);
  const truths = conditions.flatMap((condition) => SAYABLE[condition] ?? []);
  const guesses = texts.filter((text) => !EACH_TIME.test(text));
  if (conditions.includes(UNCONDITIONAL)) return 'unconditional';
  if (guesses.length === 0) return truths.length === 0 ? 'unsayable' : 'silent';
  const isRight = (text: string): boolean =>
    truths.some((truth) => truth.test(text)) ||
    (OF_A_PLACE.test(name) && IDS.test(text)) ||
    (OF_A_LENGTH.test(name) && FULL.test(text)) ||
    (OF_LAST_CREATION.test(name) && THAN_LAST.test(text)) ||
    (EVERY_SECOND.test(name) && PARITY.test(text));
  return guesses.some(isRight) ? 'right' : 'wrong';
}

/** The result of one drawing: pairs are the number found, and the number that counted. */
export type GridFigure = {
  readonly date: string;
  readonly seed: number;
  readonly all: readonly [found: number, of: number];
  readonly kinds: Readonly<Record<string, readonly [found: number, of: number]>>;
  readonly missed: readonly string[];
  /** For those found, what their reports say about when a clause is broken. */
  readonly told?: Readonly<Partial<Record<Telling, number>>>;
};

/** A judged defect with the kind of the requests that it breaks. */
export type Judged = DefectResult & { readonly kind: Kind };

/** One line for each stored drawing, the latest last. */
const FILE = new URL('./figures.jsonl', import.meta.url);

/** Adds a figure to those stored in git. */
export function keepFigure(figure: GridFigure): void {
  appendFileSync(FILE, `${JSON.stringify(figure)}\n`);
}

/** The figures stored in git. */
export function readFigures(): readonly GridFigure[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as GridFigure);
}
