import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { isJsonObject, type Json, readJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { type Adoption, adoptions } from '../judging/creations/client-ids.ts';
import { differences } from '../judging/creations/differences.ts';
import { loseByRejection } from '../judging/creations/loss-after-rejection.ts';
import { notRefused } from '../judging/creations/not-refused.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { requireStillCreates } from '../judging/creations/require-still-creates.ts';
import { showName } from '../judging/creations/show-name.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { otherStatus } from '../judging/other-status.ts';

function adoptedFinding({ id, member, exchange }: Adoption): Finding {
  return finding([exchange], {
    summary: `the service adopted id ${id}, which the client sent${member === 'id' ? '' : ` as ${member}`}`,
    expected: ['400 with an Error body', '201 with an id assigned by the service'],
    pointer: '/id',
  });
}

/** The client's id must not be rejected with a status other than 400, nor become the id of the new animal. */
async function judgeAnswer(s: Session, adoption: Adoption): Promise<Finding | undefined> {
  const { id, member, exchange } = adoption;
  // The document leaves open how a service rejects other properties.
  if (member !== 'id') return statusOf(exchange) === 201 && petOf(exchange).id === id ? adoptedFinding(adoption) : undefined;
  const wrong = otherStatus(exchange, [201, 400], `POST /pets with id ${id} in the body`);
  if (wrong !== undefined) {
    await requireStillCreates(s, exchange);
    return wrong;
  }
  if (statusOf(exchange) === 400) return notRefused(exchange, `POST /pets with id ${id} in the body`);
  return petOf(exchange).id === id ? adoptedFinding(adoption) : undefined;
}

/** Whether the client's id now leads to the new animal, or the creation replaced another animal. */
async function judgeStored(s: Session, adoption: Adoption): Promise<Finding | undefined> {
  const { id, sent, owner, exchange } = adoption;
  if (owner === undefined) {
    const read = await s.api.get(id);
    const name = statusOf(read) === 200 ? petOf(read).name : undefined;
    if (name !== sent.name) return undefined;
    return finding([exchange, read], {
      summary: `the new animal is stored under id ${id}, which the client sent`,
      expected: ['404, or a different animal'],
      pointer: '/id',
    });
  }
  const { exchange: read, pet } = await readBack(s, id);
  const loss = pet === undefined ? await loseByRejection(s) : undefined;
  if (loss !== undefined) haltInconclusive(`animal ${id} is lost, as others are that no creation with an id has changed`, loss);
  const changed = pet === undefined ? undefined : differences(owner, pet)[0];
  if (pet !== undefined && changed === undefined) return undefined;
  const received = changed === undefined ? describeAnswer(read) : `${changed.field} ${changed.received}`;
  return finding([exchange, read], {
    summary: `a creation with the id of animal ${id} (${showName(owner.name)}) changed that animal: ${received}`,
    expected: [`animal ${id} as it was`],
    received,
  });
}

const DIGITS = /^-?\d+$/;

function idOf(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = Object.hasOwn(value, 'id') ? value['id'] : undefined;
  return typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined;
}

/** The id of a request: to a lenient mapper, a string of digits is a number too. */
function sentIdOf(value: Json | undefined): string | undefined {
  const text = isJsonObject(value) && Object.hasOwn(value, 'id') ? value['id'] : undefined;
  return typeof text === 'string' && DIGITS.test(text) ? text : idOf(value);
}

export const createIdNotAdopted = defineClause({
  id: 'create.id-not-adopted',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'required',
  requirement:
    'The client never supplies the id: createPet rejects a NewPet with an id with 400 or ignores the id, and an animal that already has the id stays unchanged.',
  likelyCause:
    "The whole request is bound to the stored record, so save() inserts it under the client's id or overwrites the animal that has it.",
  checks: [
    {
      id: 'response',
      title: 'Rejects or ignores an id in the body, existing or unused',
      step: 'large-store',
      given: ['creation', 'readBack'],
      effect: 'write',
      fault: 'client-id-adopted-in-answer',
      run: async (s) => {
        const rows = await adoptions(s);
        return judgeRows(s, {
          rows,
          judge: (adoption) => judgeAnswer(s, adoption),
          evidence: `${rows.length} ids sent by the client, none adopted`,
        });
      },
    },
    {
      id: 'stored',
      title: 'An id in the body does not determine where the animal is stored, and overwrites no animal',
      step: 'large-store',
      given: ['creation', 'readBack', 'create.refused-stores-nothing', 'get.durable'],
      effect: 'write',
      fault: 'client-id-overwrites',
      run: async (s) => {
        const rows = await adoptions(s);
        return judgeRows(s, {
          rows,
          judge: (adoption) => judgeStored(s, adoption),
          evidence: `${rows.length} ids sent by the client: the existing animal is unchanged, and the others lead to no animal`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'every-201',
      title: 'No 201 shows the id that the client sent',
      fault: 'client-id-adopted-when-free',
      judge: (exchange, { created }) => {
        const { intent, body } = exchange.request;
        if (intent.operation !== 'createPet' || intent.credential !== 'valid' || typeof body !== 'string' || !body.includes('"id"'))
          return 'not-applicable';
        if (exchange.outcome.kind === 'failed') return 'not-applicable';
        const { status, json } = exchange.outcome.answer;
        const reading = readJson(body);
        const sent = sentIdOf(reading.ok ? reading.value : undefined);
        if (sent === undefined || (status !== 201 && status !== 400)) return 'not-applicable';
        // Where nothing was created yet, a rejection is hardly for the id.
        if (status === 400 && created.size === 0) return 'not-applicable';
        if (status === 400 || idOf(json.ok ? json.value : undefined) !== sent) return 'holds';
        return {
          summary: `the service adopted id ${sent}, which the client sent`,
          expected: ['400 with an Error body', '201 with an id assigned by the service'],
          received: describeAnswer(exchange),
          pointer: '/id',
        };
      },
    },
  ],
});
