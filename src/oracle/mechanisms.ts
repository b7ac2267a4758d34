// The mechanisms that carry the rules of all clauses, but for timelines (timelines.ts) and experiments (experiment.ts).

import type { ClauseId, Layer } from '../clause/clause.ts';
import type { StatedKind } from '../clause/failure-kind.ts';
import { type HttpResponse, isSuccess, type Operation } from '../wire/exchange.ts';
import { postponement } from '../wire/rate-limit.ts';
import { animalsShownIn, describe, describeReceived, type Exchange, hasKey, isDocumented } from './exchange.ts';
import type { Blame, Breach, Case, Judgement, RequestClass, Rule } from './rule.ts';
import { saysNothingOfRequest } from './standing.ts';
import type { World } from './world.ts';

type Expected = {
  readonly of: RequestClass;
  /** The statuses that the document assigns to the class. */
  readonly statuses: readonly number[];
  /** In words, for the report. */
  readonly expected: readonly string[];
  /** What is special about the request, in words that follow its method and path. */
  readonly note?: (exchange: Exchange) => string;
  readonly isIgnored?: RequestClass;
  readonly layer?: Layer;
  readonly blame?: Blame;
  readonly judgesAsRead?: true;
};

/** A class of requests gets one of its statuses. What the service as a whole does, and what it may reject of a client, says nothing. */
export function expects({ of, statuses, expected, note, isIgnored, layer = 'status', blame, judgesAsRead }: Expected): Rule {
  return {
    ...{ layer, of },
    ...(blame === undefined ? {} : { blame }),
    judge(exchange, standing, world): Judgement {
      if (!isDocumented(exchange) || exchange.response === undefined || !of(exchange, standing, world)) return undefined;
      const status = (judgesAsRead === true ? exchange.read.response?.status : exchange.status) ?? 0;
      if (statuses.includes(status)) return 'holds';
      const isOther = layer === 'failure' ? isPutOff(exchange) : saysNothingOfRequest(exchange);
      if (isOther || standing.mayRejectClient || isIgnored?.(exchange, standing, world) === true) return undefined;
      const what = note === undefined ? '' : ` ${note(exchange)}`;
      return {
        summary: `${describe(exchange)}${what} returned ${status}; expected ${statuses.join(' or ')}`,
        ...{ expected, received: describeReceived(exchange) },
      };
    },
  };
}

export const isPostponed = ({ response }: Exchange): boolean => response !== undefined && postponement(response, 0) !== undefined;
export const isPutOff = (exchange: Exchange): boolean => exchange.response === undefined || isPostponed(exchange);

export type FormProblem = { readonly what: string; readonly expected: readonly string[]; readonly received?: string } & Pick<
  Breach,
  'pointer' | 'failureKinds' | 'leftBy'
>;

/** The form of a response, to the letter. `problem`: undefined if there is none, `no matter` if the response says nothing. */
export function form(
  layer: Layer,
  problem: (exchange: Exchange & { readonly response: HttpResponse }, world: World) => FormProblem | 'no matter' | undefined,
  more: Pick<Rule, 'judgesUndocumented' | 'blame'> = {},
): Rule {
  return {
    ...{ layer, letter: true, ...more },
    judge(exchange, _standing, world): Judgement {
      const { response } = exchange;
      const found = response === undefined ? 'no matter' : problem({ ...exchange, response }, world);
      if (found === 'no matter' || found === undefined) return found === undefined ? 'holds' : undefined;
      const { what, received = describeReceived(exchange), ...rest } = found;
      return { summary: `the ${exchange.status} response to ${describe(exchange)} ${what}`, received, ...rest };
    },
  };
}

/** Lists are judged item by item: what is wrong with one, if anything is; `no matter` where nothing could be. */
export function bounds(
  of: RequestClass,
  broken: (exchange: Exchange, world: World) => Breach | 'no matter' | undefined,
  blame?: Blame,
): Rule {
  return {
    ...{ layer: 'values', of },
    ...(blame === undefined ? {} : { blame }),
    judge(exchange, standing, world): Judgement {
      if (!hasKey(exchange) || !isDocumented(exchange) || exchange.read.pets === undefined || !of(exchange, standing, world))
        return undefined;
      const found = broken(exchange, world);
      return found === 'no matter' ? undefined : (found ?? 'holds');
    },
  };
}

/** The kind of failure of a creation that leaves an animal it must not leave. */
export const STORED: StatedKind = { operation: 'createPet', place: 'animal', expected: 'not stored', received: 'stored' };

/** What no response may show: by name, each with the creation that must have left nothing. */
export function absent(
  forbidden: (world: World) => ReadonlyMap<string, Exchange>,
  { says, isSpared = () => false }: { readonly says: string; readonly isSpared?: (id: bigint, world: World) => boolean },
): Rule {
  return {
    layer: 'history',
    judgeAll(world): readonly Case[] {
      const names = forbidden(world);
      const first = Math.min(...names.values().map(({ at }) => at));
      return world.exchanges.flatMap((exchange): Case[] => {
        if (exchange.at < first || !isDocumented(exchange) || !hasKey(exchange) || exchange.facts.operation === 'createPet') return [];
        const pets = animalsShownIn(exchange);
        const pet = pets.find(({ id, name }) => name !== undefined && names.has(name) && !isSpared(id, world));
        const rejected = names.get(pet?.name ?? '');
        if (pet === undefined || rejected === undefined) return pets.length > 0 || exchange.status === 404 ? [{ exchange }] : [];
        const summary = `${describe(exchange)} shows animal ${pet.id}, ${JSON.stringify(pet.name)}, ${says} (${rejected.status})`;
        // Items that can't be read have no place among those that can.
        const isWhole = exchange.read.pets?.length === exchange.read.size;
        const breach = {
          ...{ summary, expected: ['no such animal'], received: `animal ${pet.id}`, failureKinds: [STORED] },
          ...(isWhole ? { pointer: `/${pets.indexOf(pet)}` } : {}),
          shown: [rejected, exchange],
        };
        return [{ exchange, animal: pet.id, breach }];
      });
    },
  };
}

export const hasSucceeded = ({ status }: Exchange): boolean => isSuccess(status);

export const SUCCESS_CLAUSES: Readonly<Record<Operation, ClauseId>> = {
  listPets: 'list.success',
  createPet: 'create.success',
  getPet: 'get.success',
};
