import type { Pool } from '../pool.ts';
import { renewGrid } from '../render-figures.ts';
import { BUDGETS, type Verdicts } from '../tables.ts';
import { type Asked, KINDS } from './asked.ts';
import { CONDITIONS } from './conditions.ts';
import { conditionsOf, type Defect, drawDefects, drawPairs } from './defects.ts';
import { type GridFigure, type Judged, keepFigure, TELLINGS, type Telling, tellingOf } from './figures.ts';
import { walk } from './walk.ts';

/** Which defects of the grid are drawn, and how many; with `pairs`, those that take two conditions at once. */
export type Drawing = { readonly seed: number; readonly count: number; readonly pairs: boolean };

/** The walk meets a pair at least so often: two in a thousand plain requests. */
const LEAST_OF_PAIR = 4;

/**
 * Whether a defect counts: one that changes something in the walk; a pair, if it does so at least four times, and neither condition holds whenever the
 * other does, which would be one condition.
 */
export async function counts(defect: Defect): Promise<boolean> {
  const { name, kind, seedAnimals } = defect;
  const conditions = conditionsOf(name).flatMap((when) => CONDITIONS[kind][when] ?? []);
  const held = conditions.map(() => 0);
  let both = 0;
  const watch = (asked: Asked): void => {
    if (asked.kind !== kind) return;
    const hold = conditions.map((holds) => holds(asked));
    hold.forEach((holds, index) => {
      if (holds) held[index] = (held[index] ?? 0) + 1;
    });
    if (hold.every(Boolean)) both += 1;
  };
  const met = await walk(defect, { seedAnimals, watch });
  return conditions.length === 1 ? met > 0 : met >= LEAST_OF_PAIR && held.every((times) => times > both);
}

/** The first defects in the order of the seed that count. */
async function drawCounted({ seed, count, pairs }: Drawing, onDraw: (defect: Defect) => void): Promise<number> {
  let counted = 0;
  let drawn = 0;
  for (const defect of pairs ? drawPairs(seed) : drawDefects(seed)) {
    if (counted === count) break;
    drawn += 1;
    if (!(await counts(defect))) continue;
    counted += 1;
    onDraw(defect);
  }
  return drawn;
}

/** Judges that many counted defects; `show` gets each one as it is judged. */
export async function judgeGrid(pool: Pool, drawing: Drawing, show: (judged: Judged) => void): Promise<readonly Judged[]> {
  const asked: Promise<Judged>[] = [];
  const judge = async ({ name, kind }: Defect): Promise<Judged> => {
    const judged = { ...(await pool.ask({ kind: 'grid', name })), kind };
    show(judged);
    return judged;
  };
  const drawn = await drawCounted(drawing, (defect) => asked.push(judge(defect)));
  const all = await Promise.all(asked);
  console.log(`\n${drawn} defects drawn; ${drawn - all.length} of them do not show in the walk and do not count`);
  return all;
}

function showOne({ name, red, when, applied, requests }: Judged): void {
  const verdict = red.length > 0 ? `red: ${red.join(' ')}` : `applied to ${applied} of ${requests} requests`;
  console.log(`${red.length > 0 ? 'ok  ' : 'MISS'} ${name.padEnd(80)} ${verdict}`);
  for (const [clause, text] of Object.entries(when)) console.log(`       ${clause}: ${text}`);
}

/** The found defects, by what reports say about when their clauses are broken. */
function tellingsOf(all: readonly Judged[]): ReadonlyMap<Telling, readonly Judged[]> {
  const found = all.filter(({ red }) => red.length > 0);
  return Map.groupBy(found, ({ name, when }) => tellingOf(name, Object.values(when)));
}

function figureOf({ seed }: Drawing, all: readonly Judged[]): GridFigure {
  const found = (of: readonly Judged[]): readonly [number, number] => [of.filter(({ red }) => red.length > 0).length, of.length];
  const missed = all.filter(({ red }) => red.length === 0).map(({ name }) => name);
  const kinds = KINDS.map((kind) => [kind, found(all.filter((one) => one.kind === kind))] as const);
  const told = Object.fromEntries([...tellingsOf(all)].map(([telling, { length }]) => [telling, length]));
  return {
    date: new Date().toISOString().slice(0, 10),
    seed,
    all: found(all),
    kinds: Object.fromEntries(kinds),
    missed: missed.sort(),
    told,
  };
}

/** How often the reports of found defects are right about when their clauses are broken. */
function showTellings(all: readonly Judged[]): void {
  const told = tellingsOf(all);
  const counts = TELLINGS.map((telling) => `${told.get(telling)?.length ?? 0} ${telling}`);
  console.log(`     what reports say of when a clause is broken: ${counts.join(', ')}`);
  for (const { name, when } of told.get('wrong') ?? []) console.log(`       ${name}: ${Object.values(when).join('; ')}`);
}

/** What the suite finds among random defects, and whether that is enough; `keep` adds the figure to those of docs/internals/proof.md. */
export async function proveGrid(pool: Pool, drawing: Drawing, { keep }: { readonly keep: boolean }): Promise<Verdicts> {
  const judged = await judgeGrid(pool, drawing, showOne);
  const figure = figureOf(drawing, judged);
  const share = ([found, of]: readonly [number, number]): string => `${found} of ${of} (${((100 * found) / Math.max(1, of)).toFixed(0)} %)`;
  for (const [kind, count] of Object.entries(figure.kinds)) console.log(`     ${kind}: ${share(count)}`);
  console.log(`     found with seed ${drawing.seed}: ${share(figure.all)}`);
  showTellings(judged);
  if (keep) {
    keepFigure(figure);
    renewGrid();
  }
  const [found, of] = figure.all;
  const least = drawing.pairs ? BUDGETS.pairs : BUDGETS.grid;
  const isEnough = found >= least * of;
  console.log(`${isEnough ? 'ok  ' : 'OVER'} defects found: ${found} of ${of} (at least ${Math.round(100 * least)} %)`);
  return { passed: found, failed: isEnough ? 0 : of - found };
}
