import type { RunRecord } from '../../src/clause/run-record.ts';
import { baseParts } from '../../src/reference/core/base.ts';
import { type Context, type Parts, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import { contrastText } from '../../src/report/broken-clauses.ts';
import { startParts } from '../judge-reference.ts';
import { judgeSetting } from '../judge-server.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW } from '../result.ts';
import { numberOf } from '../spread.ts';
import { type Asked, type Clock, createMemory, KINDS, type Kind } from './asked.ts';
import { CONDITIONS, type Condition } from './conditions.ts';
import { differs, EFFECTS, type Effect } from './effects.ts';

/** A randomly drawn defect: the effect on requests of a kind, whenever the condition holds. */
export type Defect = {
  readonly name: string;
  readonly kind: Kind;
  readonly condition: Condition;
  readonly effect: Effect;
  /** The initial number of animals of its server. */
  readonly seedAnimals: number;
};

const SEEDS = [8, 8, 30, 150] as const;

/** The initial number of animals of a server, by a name. */
export function seedAnimalsOf(name: string): number {
  return SEEDS[numberOf(name) % SEEDS.length] ?? SEEDS[0];
}

const DEFECTS: readonly Defect[] = KINDS.flatMap((kind) =>
  Object.entries(CONDITIONS[kind]).flatMap(([when, condition]) =>
    Object.entries(EFFECTS[kind]).map(([what, effect]) => {
      const name = `${kind}: ${what} (${when})`;
      return { name, kind, condition, effect, seedAnimals: seedAnimalsOf(name) };
    }),
  ),
);

/** Items in the order drawn by the seed; later additions keep the order of the others. */
function drawn<Item extends { readonly name: string }>(items: readonly Item[], seed: number): readonly Item[] {
  return items
    .map((item) => ({ item, place: numberOf(`${seed} ${item.name}`) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** All defects with one condition. */
export function drawDefects(seed: number): readonly Defect[] {
  return drawn(DEFECTS, seed);
}

/** The condition that each request meets. */
export const UNCONDITIONAL = 'always';
/** Between the names of two conditions. */
export const BOTH = ' & ';

/** All defects whose condition is that two others hold at once. Made as they are taken, because there are very many. */
export function* drawPairs(seed: number): Generator<Defect> {
  const names = KINDS.flatMap((kind) => {
    const conditions = Object.keys(CONDITIONS[kind]).filter((one) => one !== UNCONDITIONAL);
    const pairs = conditions.flatMap((one, index) => conditions.slice(index + 1).map((other) => `${one}${BOTH}${other}`));
    return Object.keys(EFFECTS[kind]).flatMap((what) => pairs.map((pair) => ({ name: `${kind}: ${what} (${pair})` })));
  });
  for (const { name } of drawn(names, seed)) yield defectCalled(name);
}

/** The conditions of the defect with that name: one, or two of a pair. */
export function conditionsOf(name: string): readonly string[] {
  return (/ \((.*)\)$/.exec(name)?.[1] ?? '').split(BOTH);
}

/** The defect with that name; throws for one that the grid does not have. */
export function defectCalled(name: string): Defect {
  const [, of = '', what = ''] = /^(\w+): (.*) \(.*\)$/.exec(name) ?? [];
  const kind = KINDS.find((one) => one === of);
  const effect = kind === undefined ? undefined : EFFECTS[kind][what];
  const conditions = conditionsOf(name).flatMap((when) => (kind === undefined ? [] : (CONDITIONS[kind][when] ?? [])));
  if (kind === undefined || effect === undefined || conditions.length < conditionsOf(name).length)
    throw new Error(`the grid has no defect "${name}"`);
  const condition: Condition = (asked) => conditions.every((holds) => holds(asked));
  return { name, kind, condition, effect, seedAnimals: seedAnimalsOf(name) };
}

/** A server that may be broken. */
export type Broken = {
  readonly parts: Parts;
  /** The number of requests for which the effect changed something. */
  readonly applied: () => number;
};

type Hidden = { readonly from: number; readonly until: number };
type Cut = 'dropped' | 'halved';

/** The state that a server shares among its requests: animals that are hidden for a while, and responses that do not end. */
function brokenBase(clock: Clock, bear: (pet: Pet) => void) {
  const hidden = new WeakMap<Pet, Hidden>();
  const cuts = new WeakMap<Reply, Cut>();
  const isShown = (pet: Pet): boolean => {
    const { from, until } = hidden.get(pet) ?? { from: Number.POSITIVE_INFINITY, until: 0 };
    return clock.now() < from || clock.now() >= until;
  };
  const parts: Parts = {
    ...baseParts,
    arrange: (store) => baseParts.arrange(store).filter(isShown),
    find: (store, id) => {
      const pet = baseParts.find(store, id);
      return pet === undefined || isShown(pet) ? pet : undefined;
    },
    insert: (store, pet) => {
      bear(pet);
      return baseParts.insert(store, pet);
    },
    send: (reply, outgoing, call) => {
      const cut = cuts.get(reply);
      if (cut === undefined) return baseParts.send(reply, outgoing, call);
      if (cut === 'dropped') outgoing.destroy();
      else {
        const bytes = Buffer.from(reply.body);
        outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(bytes.length) });
        outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
      }
    },
  };
  return {
    parts,
    hide(pet: Pet, when: { readonly until: number } | { readonly from: number }): void {
      const now = clock.now();
      hidden.set(
        pet,
        'until' in when ? { from: now, until: now + when.until } : { from: now + when.from, until: Number.POSITIVE_INFINITY },
      );
    },
    cut(reply: Reply, how: Cut): Reply {
      const copy = { ...reply };
      cuts.set(copy, how);
      return copy;
    },
  };
}

/** The same request with a body that can be read more than once. */
function readOnce(context: Context): Context {
  const { call } = context;
  let bytes: ReturnType<typeof call.body> | undefined;
  return {
    ...context,
    call: {
      ...call,
      body: () => {
        bytes ??= call.body();
        return bytes;
      },
    },
  };
}

/** Options of a defect: `watch` is called for each request that the document decides. */
type BreakOptions = { readonly clock: Clock; readonly watch?: (asked: Asked) => void };

/** A conforming server with responses broken by a defect, if there is one. */
export function breakParts(defect: Pick<Defect, 'kind' | 'condition' | 'effect'> | undefined, { clock, watch }: BreakOptions): Broken {
  const memory = createMemory(clock);
  const base = brokenBase(clock, memory.bear);
  let applied = 0;

  async function respond(given: Context): Promise<Reply> {
    const context = readOnce(given);
    const asked = await memory.ask(context);
    if (asked !== undefined) watch?.(asked);
    const run = async (changes: Partial<Parts>): Promise<Reply> => await baseParts.handle(withParts(context, changes));
    if (asked === undefined || defect?.kind !== asked.kind || !defect.condition(asked)) return run({});
    let isTouched = false;
    let rightReply: Promise<Reply> | undefined;
    const right = (): Promise<Reply> => {
      rightReply ??= run({});
      return rightReply;
    };
    const touched = (): void => {
      isTouched = true;
    };
    const cut = (reply: Reply, how: Cut): Reply => {
      touched();
      return base.cut(reply, how);
    };
    const reply = await defect.effect({ asked, context, right, run, touched, hide: base.hide, cut });
    // A creation that went wrong is not repeated to see what it should have been.
    const isWrong =
      rightReply === undefined && asked.kind === 'create' ? reply.status !== baseParts.createdStatus() : differs(reply, await right());
    if (isTouched || isWrong) applied += 1;
    return reply;
  }

  const handle = async (context: Context): Promise<Reply> => {
    let reply: Reply | undefined;
    try {
      reply = await respond(context);
      return reply;
    } finally {
      memory.end(context.call, reply);
    }
  };
  return { parts: { ...base.parts, handle }, applied: () => applied };
}

/** The gate's result for a server with one defect. */
export type DefectResult = {
  readonly name: string;
  /** Required and implied clauses that it finds broken: none means that the defect was missed. */
  readonly red: readonly string[];
  /** What the report says about when these clauses are broken, if it does, by clause. */
  readonly when: Readonly<Record<string, string>>;
  /** The number of requests of the run for which the defect changed something. */
  readonly applied: number;
  readonly requests: number;
  readonly milliseconds: number;
};

/** Judges a server with a defect of the grid, or the same server without one, as the proof judges a fault. */
export async function judgeBroken(defect: Defect | undefined): Promise<{ readonly record: RunRecord; readonly applied: number }> {
  const { parts, applied } = breakParts(defect, { clock: { now: () => Date.now() } });
  const record = await judgeSetting({
    start: () => startParts(parts, { seedAnimals: defect?.seedAnimals ?? 8 }),
    session: { timeout: CONFORMING_TIMEOUT, consistencyWindow: FAULT_WINDOW },
  });
  return { record, applied: applied() };
}

/** The gate's result for the defect with that name. */
export async function judgeDefect(name: string): Promise<DefectResult> {
  const { record, applied } = await judgeBroken(defectCalled(name));
  const failed = record.clauses.filter(({ verdict, level }) => verdict === 'fail' && level !== 'advised');
  const when = failed.flatMap(({ id, contrast }) => (contrast === undefined ? [] : [[id, contrastText(contrast)]]));
  return {
    ...{ name, red: failed.map(({ id }) => id), when: Object.fromEntries(when), applied },
    ...{ requests: record.operations.reduce((sum, { requests }) => sum + requests, 0), milliseconds: record.duration },
  };
}
