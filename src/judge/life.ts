// The life of an animal: what each place showed of it, and when.

import type { ReportedLife, ReportedSight } from '../clause/clause-record.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import type { SentPet } from '../oracle/body-facts.ts';
import { sightsOf } from '../oracle/contradictions.ts';
import { describe, type Exchange } from '../oracle/exchange.ts';
import { type ObservedAnimal, type TimelineView, timelineViewOf } from '../oracle/timeline-view.ts';
import type { World } from '../oracle/world.ts';
import { FIELDS, type Field, type PetView } from '../schema/pet.ts';
import type { Redaction } from './findings.ts';
import { thinned, wrongIn } from './run-timeline.ts';

/** Sights of a life; and up to how many, others than those that tell something new. */
const [MOST_SIGHTS, ENOUGH_SIGHTS] = [40, 20];
const LONGEST_VALUE = 60;

type Seen = Pick<ReportedSight, 'place'> & { readonly exchange: Exchange; readonly pet: PetView | undefined };
type Values = Readonly<Partial<Record<Field, unknown>>>;

function valueText(value: unknown, text: Redaction['text']): string {
  if (value === undefined) return 'none';
  const shown = text(typeof value === 'string' ? JSON.stringify(value) : String(value));
  return shown.length <= LONGEST_VALUE ? shown : `${shown.slice(0, LONGEST_VALUE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The response to its creation, then the lists and reads that show whether it is there. */
function seenOf(animal: ObservedAnimal, view: TimelineView): readonly Seen[] {
  const { id, creation } = animal;
  const created = creation === undefined ? [] : [{ place: 'creation' as const, exchange: creation, pet: creation.read.pet }];
  return [
    ...created,
    ...sightsOf(animal, view).map(({ snapshot: { place, exchange, shown } }) => ({ place, exchange, pet: shown.get(id) })),
  ];
}

/** What the animal is: as it was sent, and where nothing was sent, as it was shown first. */
function truthOf(sent: SentPet | undefined, seen: readonly Seen[]): Values {
  const shown = (field: Field): unknown => seen.find(({ pet }) => pet !== undefined && !pet.gaps.includes(field))?.pet?.[field];
  return Object.fromEntries(FIELDS.map((field) => [field, sent?.[field] ?? shown(field)]));
}

type SightContext = { readonly truth: Values; readonly wrong: ReadonlySet<Exchange>; readonly text: Redaction['text'] };

function sightOf({ place, exchange, pet }: Seen, { truth, wrong, text }: SightContext): ReportedSight {
  const member = pet && FIELDS.find((field) => !pet.gaps.includes(field) && pet[field] !== truth[field]);
  return {
    ...{ place, exchange: exchange.number, asked: text(describe(exchange)), status: exchange.status ?? 0, at: Math.round(exchange.at) },
    shows: pet === undefined ? 'no animal' : member === undefined ? 'the animal' : 'another value',
    ...(member === undefined ? {} : { other: { member, sent: valueText(truth[member], text), shown: valueText(pet?.[member], text) } }),
    ...(wrong.has(exchange) ? { isWrong: true as const } : {}),
  };
}

const isChange = (one: ReportedSight, before: ReportedSight | undefined): boolean =>
  one.shows !== before?.shows || one.other?.shown !== before.other?.shown || one.isWrong !== before.isWrong;

/** Those that are kept: of each place the first one, each change, and the last one; then as many others as there is room for. */
function keptOf(sights: readonly ReportedSight[]): readonly ReportedSight[] {
  if (sights.length <= ENOUGH_SIGHTS) return sights;
  const telling = new Set(
    [...Map.groupBy(sights, ({ place }) => place).values()].flatMap((same) =>
      same.filter((one, index) => index === same.length - 1 || isChange(one, same[index - 1])),
    ),
  );
  const first = sights.filter((one) => telling.has(one));
  const both = [...first.slice(0, MOST_SIGHTS / 2), ...first.slice(-MOST_SIGHTS / 2)];
  const others = thinned(
    sights.filter((one) => !telling.has(one)),
    Math.max(0, ENOUGH_SIGHTS - first.length),
  );
  const kept = new Set([...both, ...others]);
  return sights.filter((one) => kept.has(one));
}

/** Each that is kept stands for those after it in its place that are not, and are like it. */
function withCounts(sights: readonly ReportedSight[]): readonly ReportedSight[] {
  const kept = keptOf(sights);
  const isKept = new Set(kept);
  const times = new Map<ReportedSight, number>();
  const latest = new Map<ReportedSight['place'], ReportedSight>();
  for (const one of sights) {
    const before = latest.get(one.place);
    const stands = isKept.has(one) || before === undefined || isChange(one, before) ? one : before;
    latest.set(one.place, stands);
    times.set(stands, (times.get(stands) ?? 0) + 1);
  }
  return kept.map((one) => ((times.get(one) ?? 1) === 1 ? one : { ...one, times: times.get(one) ?? 1 }));
}

/** The life of the first animal by which a clause is broken; undefined if no response about an animal breaks it. */
export function lifeOf(broken: readonly JudgedCase[], world: World, { text }: Pick<Redaction, 'text'>): ReportedLife | undefined {
  const first = broken.find(({ animal, breach }) => animal !== undefined && breach !== undefined);
  const animal = first?.animal === undefined ? undefined : timelineViewOf(world).animals.get(first.animal);
  if (first === undefined || animal === undefined) return undefined;
  const { id, sent } = animal;
  const seen = seenOf(animal, timelineViewOf(world));
  const telling: SightContext = { truth: truthOf(sent, seen), wrong: new Set(wrongIn(first)), text };
  const sights = seen.map((one) => sightOf(one, telling));
  if (sights.length < 2 || sights.every(({ isWrong }) => isWrong !== true)) return undefined;
  const shown = sent && { name: valueText(sent.name, text), categoryId: valueText(sent.categoryId, text) };
  return {
    id: text(String(id)),
    ...(shown === undefined ? {} : { sent: { ...shown, ...(sent?.status === undefined ? {} : { status: valueText(sent.status, text) }) } }),
    ...{ sights: withCounts(sights), of: sights.length },
  };
}
