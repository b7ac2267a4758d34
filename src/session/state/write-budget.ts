import { haltInconclusive } from '../../clause/halt.ts';
import type { CreatedAnimal } from '../../clause/run-record.ts';
import { isErrorBody, isRejected, statusOf } from '../../expect/expect.ts';
import { isInt64 } from '../../schema/int64.ts';
import { asStatus, createdView, type NewPetInput, type PetView, petViews } from '../../schema/pet.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject, readJson, writeJson } from '../../wire/json.ts';
import type { CreateBody, CreateOptions, ListParameters } from '../client/api.ts';
import { plainNameIn } from '../fixtures/names.ts';
import { createLeftovers, type LeftoverOptions } from './leftovers.ts';
import { createLostCreations } from './lost-creations.ts';
import { createMemory } from './run-memory.ts';
import type { KnownAnimal, RunState } from './run-state.ts';

/** The books of a run: what was created, what may have been, and what any answer showed. */
export type Ledger = {
  readonly knowledge: RunState;
  /** Reserves a creation before its POST is sent, once those under way leave room for it; halts when the budget has none. */
  reserve(options?: CreateOptions): Promise<void>;
  /** Gives a reservation back whose POST was never sent. */
  release(): void;
  /** The list of all animals, where it should be asked for: responses to creations were lost, and it shows whether anything came of them. */
  lookUp(): ListParameters | undefined;
  /** Animals that may still be created. */
  room(): number;
  /** Enters what a POST came to. */
  enter(exchange: Exchange, sent: { body: CreateBody; options: CreateOptions }): void;
  /** Notes the valid animals of an answer. */
  notice(exchange: Exchange): void;
  /** The service takes no more creations: it rejects them with that status. */
  endCreations(status: number): void;
  created(): readonly CreatedAnimal[];
  ambiguous(): readonly string[];
};

export type LedgerOptions = {
  readonly readOnly: boolean;
  readonly maxCreates: number;
  readonly consistencyWindow: number;
  readonly baseUrl: string;
  readonly now: Date;
} & LeftoverOptions;

/** A service that ignores the limit, or a hostile one, may show millions. */
const MOST_SEEN = 5_000;
const MOST_TURNED_AWAY = 20;
/** The part of the budget that invalid bodies leave to other creations, once more than a few of them have been accepted. */
const KEPT = 0.25;
const FEW_ACCEPTED = 4;

const total = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

function inputOf(body: CreateBody): NewPetInput | undefined {
  if (!('value' in body) || !isJsonObject(body.value)) return undefined;
  const { name, categoryId, status } = body.value as Record<string, unknown>;
  if (typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' && !(typeof categoryId === 'number' && Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId), ...(known === undefined ? {} : { status: known }) };
}

function sentValue(body: CreateBody): unknown {
  if ('value' in body) return body.value;
  if (body.raw === undefined) return undefined;
  const reading = readJson(typeof body.raw === 'string' ? body.raw : Buffer.from(body.raw).toString('utf8'));
  return reading.ok ? reading.value : undefined;
}

function nameOf(body: CreateBody): string {
  const value = sentValue(body);
  if (value === undefined) return '(not JSON)';
  return isJsonObject(value) && typeof value['name'] === 'string' ? value['name'] : '(no name)';
}

const CREATED = 201;
const UNAUTHORIZED = 401;
const LEAST_SERVER_ERROR = 500;

/** A rejection says nothing of a valid value when the key, the time or the rate is what was rejected, or when the service broke. */
function isRefusal(exchange: Exchange, domain: CreateOptions['domain']): boolean {
  const status = statusOf(exchange) ?? UNAUTHORIZED;
  return isRejected(exchange) && (domain === 'invalid' || (status !== UNAUTHORIZED && status < LEAST_SERVER_ERROR));
}

/** The names in a body that are this run's own: as it says it, and the plain one wherever it stands. */
function namesOf(body: CreateBody, tag: string): readonly string[] {
  const text = 'value' in body ? writeJson(body.value) : typeof body.raw === 'string' ? body.raw : Buffer.from(body.raw ?? '').toString();
  const plain = plainNameIn(text, tag);
  const name = nameOf(body);
  return [...(plain === undefined ? [] : [plain]), ...(name !== plain && plainNameIn(name, tag) !== undefined ? [name] : [])];
}

function petsIn(exchange: Exchange): PetView[] {
  if (exchange.outcome.kind === 'failed' || !exchange.outcome.answer.json.ok) return [];
  const { value } = exchange.outcome.answer.json;
  return petViews(Array.isArray(value) ? value : [value]).filter((view) => view !== undefined);
}

/** The id of a created record that is no valid Pet, as far as it can be told. */
function idIn(exchange: Exchange): string {
  if (exchange.outcome.kind === 'failed' || !exchange.outcome.answer.json.ok) return '?';
  const { value } = exchange.outcome.answer.json;
  return isJsonObject(value) && isInt64(value['id']) ? String(value['id']) : '?';
}

/** Whether the client chose an id, which the service may have adopted. */
function sendsId({ request }: Exchange): boolean {
  return String(request.body).includes('"id"');
}

export function createLedger(options: LedgerOptions): Ledger {
  const created = new Map<string, KnownAnimal>();
  const seen = new Map<string, PetView>();
  const listed = new Set<string>();
  const refusedNames = new Map<string, Exchange>();
  const sharedIds = new Set<string>();
  const acceptedInvalid = new Map<string, number>();
  /** Names of POSTs that were not refused, or may not have been. */
  const grantedNames = new Set<string>();
  const turnedAway: Exchange[] = [];
  const entries: CreatedAnimal[] = [];
  const lost = createLostCreations();
  const ids = new Set<string>();
  /** Names of POSTs that no 2xx answered. */
  const unconfirmed = new Set<string>();
  let reserved = 0;
  let credible = false;
  let creationQuota: number | undefined;
  const old = createLeftovers(options, (id) => ids.has(id));
  const knowledge: RunState = {
    created,
    seen,
    listed,
    refusedNames,
    sharedIds,
    acceptedInvalid,
    turnedAway,
    leftovers: old.leftovers,
    consistencyWindow: options.consistencyWindow,
    baseUrl: options.baseUrl,
    now: options.now,
    remember: createMemory(),
    get credible() {
      return credible;
    },
    get creationQuota() {
      return creationQuota;
    },
  };

  /** Whether an animal with other names than these has the id. */
  function isTaken(id: string, names: readonly (string | undefined)[]): boolean {
    const shown = seen.get(id)?.name;
    return ids.has(id) || (shown !== undefined && !names.includes(shown));
  }

  const enterAnimal = (id: string, name: string, status: PetView['status']): void => {
    entries.push({ id, name, ...(status === undefined ? {} : { status }) });
    ids.add(id);
  };
  /** Those that wait for a reservation to be given back: most invalid bodies create nothing. */
  const waiting: (() => void)[] = [];
  function giveBack(): void {
    reserved -= 1;
    for (const goOn of waiting.splice(0)) goOn();
  }
  const room = (): number => (options.readOnly ? 0 : options.maxCreates - entries.length - lost.names().length - reserved);

  /** Only names of this run: an unusual name may be somebody else's too. */
  function suspect(body: CreateBody): void {
    const name = nameOf(body);
    if (name.toLowerCase().includes(options.runTag.toLowerCase())) unconfirmed.add(name);
  }

  /** Keeps apart the names that must never be seen: those of refusals that no other creation had. */
  function judgeNames(exchange: Exchange, { body, options: { domain } }: { body: CreateBody; options: CreateOptions }): void {
    const refused = isRefusal(exchange, domain);
    for (const name of namesOf(body, options.runTag)) {
      if (!refused) grantedNames.add(name);
      if (grantedNames.has(name)) refusedNames.delete(name);
      else refusedNames.set(name, exchange);
    }
  }

  /** An animal under a name that was never confirmed: the service stored what it refused, or its answer was lost. */
  function uncover(pet: PetView): void {
    if (pet.name === undefined || ids.has(String(pet.id)) || !unconfirmed.delete(pet.name)) return;
    lost.found(pet.name);
    enterAnimal(String(pet.id), pet.name, pet.status);
  }

  return {
    knowledge,
    room,
    lookUp: lost.lookUp,
    release: giveBack,
    async reserve(sending) {
      if (options.readOnly) haltInconclusive('creating an animal is not allowed in a read-only run', 'choice');
      while (room() <= 0 && reserved > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      if (room() <= 0) {
        haltInconclusive(`the write budget of ${options.maxCreates} animals is spent; --max-creates raises it`, 'choice');
      }
      if (sending?.clause !== undefined && total(acceptedInvalid) > FEW_ACCEPTED && room() <= options.maxCreates * KEPT) {
        haltInconclusive(
          `invalid bodies were accepted and used up their part of the write budget of ${options.maxCreates} animals; --max-creates raises it`,
          'choice',
        );
      }
      reserved += 1;
    },
    enter(exchange, sending) {
      const {
        body,
        options: { domain },
      } = sending;
      giveBack();
      if (exchange.request.intent.credential === 'valid') judgeNames(exchange, sending);
      if (exchange.outcome.kind === 'failed') {
        // A connection that was never made can't have created anything.
        if (exchange.outcome.failure.reason === 'dns' || exchange.outcome.failure.reason === 'connect') return;
        lost.add(nameOf(body), exchange);
        suspect(body);
        return;
      }
      const { status } = exchange.outcome.answer;
      if (status === 503 && exchange.postponed > 0 && turnedAway.length < MOST_TURNED_AWAY) turnedAway.push(exchange);
      const { bodyClause } = exchange.request.intent;
      if (domain === 'invalid' && bodyClause !== undefined && status >= 200 && status <= 299)
        acceptedInvalid.set(bodyClause, (acceptedInvalid.get(bodyClause) ?? 0) + 1);
      // A rejection that is one by its body alone has created nothing either.
      if (status < 200 || status > 299 || (status !== CREATED && isErrorBody(exchange.outcome.answer))) {
        suspect(body);
        return;
      }
      const { json } = exchange.outcome.answer;
      const answered = petsIn(exchange)[0] ?? (json.ok ? createdView(json.value) : undefined);
      old.enter(exchange, json.ok ? json.value : undefined);
      const sent = inputOf(body);
      const id = answered === undefined ? idIn(exchange) : String(answered.id);
      if (!sendsId(exchange) && isTaken(id, [nameOf(body), answered?.name])) sharedIds.add(id);
      enterAnimal(id, nameOf(body), answered?.status);
      const right = status === 201 && domain !== 'invalid' && exchange.request.intent.credential !== 'refused';
      if (answered === undefined || sent === undefined || !right) return;
      // A name that nobody else has, in the response to its own creation.
      if (answered.name === sent.name) credible = true;
      const createdAt = exchange.timings.startedAt + exchange.timings.duration;
      // Two creations that got one id: the first stays known, so that the second shows as the break that it is.
      if (!created.has(String(answered.id))) {
        created.set(String(answered.id), { id: answered.id, sent, answered, plain: domain === 'plain', createdAt, exchange });
      }
    },
    notice(exchange) {
      const { operation, credential } = exchange.request.intent;
      if (credential !== 'valid' || exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 200) return;
      if (operation === 'createPet') return;
      const { json } = exchange.outcome.answer;
      const isList = json.ok && Array.isArray(json.value);
      if (json.ok) old.notice(json.value);
      for (const pet of petsIn(exchange).slice(0, MOST_SEEN)) {
        credible ||= operation === 'listPets' && isList;
        uncover(pet);
        if (!ids.has(String(pet.id)) && !seen.has(String(pet.id))) lost.meet(pet.id);
        if (isList && created.has(String(pet.id))) listed.add(String(pet.id));
        if (seen.size < MOST_SEEN || seen.has(String(pet.id))) seen.set(String(pet.id), pet);
      }
      lost.strikeOut(exchange, (name) => unconfirmed.has(name));
    },
    endCreations(status) {
      creationQuota = status;
    },
    created: () => entries,
    ambiguous: lost.names,
  };
}
