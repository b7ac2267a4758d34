import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { isJsonObject, type Json, readJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { type Adoption, adoptions } from '../judging/creations/client-ids.ts';
import { proveStillCreates } from '../judging/creations/creations.ts';
import { lostByRefusal } from '../judging/creations/loss-after-rejection.ts';
import { differences, readBack, showName } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { notRefused, otherStatus } from '../judging/ownership.ts';

function adoptedFinding({ id, member, exchange }: Adoption): Finding {
  return finding([exchange], {
    summary: `the id ${id} that the client sent${member === 'id' ? '' : ` as ${member}`} is adopted`,
    expected: ['400 with an Error body', '201 with an id that the service assigns'],
    pointer: '/id',
  });
}

/** The id of the client must neither be refused otherwise than with 400, nor be the id of the new animal. */
async function judgeAnswer(s: Session, adoption: Adoption): Promise<Finding | undefined> {
  const { id, member, exchange } = adoption;
  // How other members than those of the document are refused is open.
  if (member !== 'id') return statusOf(exchange) === 201 && petOf(exchange).id === id ? adoptedFinding(adoption) : undefined;
  const wrong = otherStatus(exchange, [201, 400], `a NewPet with the id ${id}`);
  if (wrong !== undefined) {
    await proveStillCreates(s, exchange);
    return wrong;
  }
  if (statusOf(exchange) === 400) return notRefused(exchange, `a NewPet with the id ${id}`);
  return petOf(exchange).id === id ? adoptedFinding(adoption) : undefined;
}

/** Whether the id of the client now leads to the new animal, or took the place of another one. */
async function judgeStored(s: Session, adoption: Adoption): Promise<Finding | undefined> {
  const { id, sent, owner, exchange } = adoption;
  if (owner === undefined) {
    const read = await s.api.get(id);
    const name = statusOf(read) === 200 ? petOf(read).name : undefined;
    if (name !== sent.name) return undefined;
    return finding([exchange, read], {
      summary: `the new animal is stored under the id ${id} that the client sent`,
      expected: ['404, or another animal'],
      pointer: '/id',
    });
  }
  const { exchange: read, pet } = await readBack(s, id);
  if (pet === undefined && (await lostByRefusal(s)) !== undefined)
    haltInconclusive(`animal ${id} is lost, as others are when a creation is refused`, 'create.refused-stores-nothing');
  const changed = pet === undefined ? undefined : differences(owner, pet)[0];
  if (pet !== undefined && changed === undefined) return undefined;
  const received = changed === undefined ? describeAnswer(read) : `${changed.field} ${changed.received}`;
  return finding([exchange, read], {
    summary: `a creation with the id of animal ${id} (${showName(owner.name)}) changes that animal: ${received}`,
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

/** The id of a request: a text of digits is as good as a number to a lenient mapper. */
function sentIdOf(value: Json | undefined): string | undefined {
  const text = isJsonObject(value) && Object.hasOwn(value, 'id') ? value['id'] : undefined;
  return typeof text === 'string' && DIGITS.test(text) ? text : idOf(value);
}

export const createIdNotAdopted = defineClause({
  id: 'create.id-not-adopted',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  level: 'required',
  requirement:
    'An id is never supplied by the client: a NewPet with an id is refused with 400, or the id is ignored, and an animal that has it stays as it was.',
  likelyCause:
    'The request is bound to the stored record as a whole, so that save() inserts under the id of the client or overwrites the animal that has it.',
  checks: [
    {
      id: 'answer',
      title: 'An id in the body, of an animal that is there and of none, is refused or ignored',
      step: 'large-store',
      effect: 'write',
      fault: 'client-id-adopted-in-answer',
      run: async (s) => {
        const rows = await adoptions(s);
        return judgeRows(s, {
          rows,
          judge: (adoption) => judgeAnswer(s, adoption),
          evidence: `${rows.length} ids of clients, none adopted`,
        });
      },
    },
    {
      id: 'stored',
      title: 'An id in the body does not decide where the animal is stored, and overwrites none',
      step: 'large-store',
      effect: 'write',
      fault: 'client-id-overwrites',
      run: async (s) => {
        const rows = await adoptions(s);
        return judgeRows(s, {
          rows,
          judge: (adoption) => judgeStored(s, adoption),
          evidence: `${rows.length} ids of clients: the animal that has one is unchanged, the others lead nowhere`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'not-adopted',
      title: 'No 201 shows the id that the body had',
      fault: 'client-id-adopted-when-free',
      judge: (exchange) => {
        const { intent, body } = exchange.request;
        if (intent.operation !== 'createPet' || intent.credential !== 'valid' || typeof body !== 'string' || !body.includes('"id"'))
          return 'not-applicable';
        if (exchange.outcome.kind === 'failed') return 'not-applicable';
        const { status, json } = exchange.outcome.answer;
        const reading = readJson(body);
        const sent = sentIdOf(reading.ok ? reading.value : undefined);
        if (sent === undefined || (status !== 201 && status !== 400)) return 'not-applicable';
        if (status === 400 || idOf(json.ok ? json.value : undefined) !== sent) return 'holds';
        return {
          summary: `the id ${sent} that the client sent is adopted`,
          expected: ['400 with an Error body', '201 with an id that the service assigns'],
          received: describeAnswer(exchange),
          pointer: '/id',
        };
      },
    },
  ],
});
