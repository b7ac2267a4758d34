import { afterAll, describe, expect, test } from 'vitest';
import { faults } from './faults/index.ts';
import { createPool } from './pool.ts';
import { CONFORMING_TIMEOUT } from './result.ts';

// What is read through hides nothing else: each kind of departure together with three other defects, all of which one run reports.

const ANY_KEY = 'key-prefix-accepted';
const NULL_STATUS = 'null-status-accepted';
const GONE = 'missing-animal-gone';
const ONE_MORE = 'limit-plus-one';
const TRIMMED = 'stored-name-trimmed';
const USUAL = [ANY_KEY, NULL_STATUS, GONE] as const;

const ROWS: readonly (readonly [what: string, fault: string, others: readonly string[]])[] = [
  ['lists in an envelope', 'list-wrapped-in-items', USUAL],
  ['lists in an array', 'list-nested', USUAL],
  ['an empty list that is null', 'empty-list-null', USUAL],
  ['a list of one without an array', 'single-animal-not-in-array', USUAL],
  ['records with a field that is null', 'listed-status-null', USUAL],
  ['records with fields in a member', 'listed-nested-attributes', USUAL],
  ['a Pet with an id that is text', 'created-id-as-text', USUAL],
  ['a Pet in an envelope', 'create-answers-wrapped', USUAL],
  ['a list of one for a Pet', 'get-answers-array', USUAL],
  ['202 for a creation', 'create-answers-202', USUAL],
  ['204 for a creation', 'create-answers-204', USUAL],
  ['a creation that names no animal', 'create-answers-empty-body', USUAL],
  ['403 for a missing key', 'missing-credential-forbidden', USUAL],
  ['400 for a missing key', 'missing-credential-bad-request', USUAL],
  ['422 for an invalid body', 'invalid-bodies-unprocessable', [ANY_KEY, TRIMMED, GONE]],
  ['401 for an invalid body', 'invalid-bodies-unauthorized', [ANY_KEY, TRIMMED, GONE]],
  ['500 for an invalid body', 'invalid-bodies-crash', [ANY_KEY, TRIMMED, GONE]],
  ['400 for a missing animal', 'missing-animal-bad-request', [ANY_KEY, NULL_STATUS, ONE_MORE]],
  ['null for a missing animal', 'missing-animal-null', [ANY_KEY, NULL_STATUS, ONE_MORE]],
  ['errors of another shape', 'error-capitalised-members', USUAL],
  ['bodies as text/json', 'content-type-text-json', USUAL],
  ['bodies without Content-Type', 'content-type-missing', USUAL],
  ['JSON with a byte order mark', 'body-with-bom', USUAL],
  ['integers as doubles', 'stored-category-through-double', USUAL],
  ['a limit that is ignored', 'limit-ignored', USUAL],
  ['a filter that is ignored', 'filter-ignored', USUAL],
  ['a limit that is rejected', 'limit-100-refused', USUAL],
  ['getPet that is not there', 'get-removed-with-410', [ANY_KEY, NULL_STATUS, ONE_MORE]],
  ['createPet that is not there', 'create-not-found', [ANY_KEY, GONE, ONE_MORE]],
];

const clauseOf = (name: string): string => {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`There is no fault ${name}.`);
  return fault.clause;
};

const pool = createPool();
afterAll(() => pool.close());

describe('one run reports', () => {
  test.concurrent.each(ROWS)('%s (%s), and three other defects', async (_what, fault, others) => {
    const all = [fault, ...others];
    const { red, advised, notes } = await pool.ask({
      kind: 'judge',
      subject: { kind: 'combination', name: all.join('+'), faults: all },
      // None of these hangs.
      timeout: CONFORMING_TIMEOUT,
    });
    expect([...red, ...advised], JSON.stringify(notes, null, 1)).toEqual(expect.arrayContaining(all.map(clauseOf)));
  });
});
