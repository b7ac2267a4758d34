import type { Call, Context, Parts } from '../core/parts.ts';
import type { Status } from '../core/pet.ts';
import { crowd, type Fault, type FaultNeeds, fault } from './fault.ts';

/** A page of the default size is full from the beginning. */
const thirty: FaultNeeds = { seedAnimals: 30, writes: true };

const DEFAULT_LIMIT = 20;

function standsFirst(call: Call, name: string): boolean {
  const names = [...call.query.keys()];
  return names.length > 1 && names[0] === name;
}

function standsLast(call: Call, name: string): boolean {
  return standsFirst(call, name === 'limit' ? 'status' : 'limit') && call.query.has(name);
}

/** Forgets a parameter of the requests for which the condition holds. */
function forget(name: 'limit' | 'status', condition: (call: Call) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    listPets: (context) => {
      if (!condition(context.call)) return parts.listPets(context);
      const query = new URLSearchParams(context.call.query);
      query.delete(name);
      return parts.listPets({ ...context, call: { ...context.call, query } });
    },
  });
}

function isUnknown(name: string): boolean {
  return name !== 'limit' && name !== 'status';
}

/** Filters a list without status by the status that another list had. */
function filteredBy(parts: Parts, context: Context, status: Status): ReturnType<Parts['listPets']> {
  return parts.listPets({ ...context, parts: { ...context.parts, parseStatus: () => status } });
}

function statusOf(parts: Parts, call: Call): Status | undefined {
  const status = parts.parseStatus(call.query.getAll('status'));
  return typeof status === 'string' ? status : undefined;
}

/** Parameters that depend on their order, on others beside them, or on those of another request. */
export const listParameterFaults: readonly Fault[] = [
  fault(
    'limit-ignored-behind-status',
    'list.filter-with-limit',
    'The query is split at the first ampersand only: a limit behind the status is not seen.',
    forget('limit', (call) => standsLast(call, 'limit')),
    crowd,
  ),
  fault(
    'limit-ignored-before-status',
    'list.filter-with-limit',
    'Each parameter begins the query builder anew: a limit before the status is lost.',
    forget('limit', (call) => standsFirst(call, 'limit')),
    crowd,
  ),
  fault(
    'status-ignored-behind-limit',
    'list.filter-with-limit',
    'The query is split at the first ampersand only: a status behind the limit is not seen.',
    forget('status', (call) => standsLast(call, 'status')),
    crowd,
  ),
  fault(
    'status-ignored-before-limit',
    'list.filter-with-limit',
    'Each parameter begins the query builder anew: a status before the limit is lost.',
    forget('status', (call) => standsFirst(call, 'status')),
    crowd,
  ),
  fault(
    'limit-ignored-beside-unknown-parameter',
    'list.limit-maximum',
    'A query with a parameter that the binder does not know is not bound at all: the limit is the default.',
    forget('limit', ({ query }) => [...query.keys()].some(isUnknown)),
    crowd,
  ),
  fault(
    'status-ignored-beside-unknown-parameter',
    'list.status-filter',
    'A query with a parameter that the binder does not know is not bound at all: the status is not filtered by.',
    forget('status', ({ query }) => [...query.keys()].some(isUnknown)),
    crowd,
  ),
  fault(
    'filter-stays-for-next-list',
    'list.read-only',
    'The filter is a field of the repository, cleared after the next list: that one is filtered too.',
    (parts) => {
      let before: Status | undefined;
      return {
        listPets: (context) => {
          const stayed = before;
          before = statusOf(parts, context.call);
          return before === undefined && stayed !== undefined ? filteredBy(parts, context, stayed) : parts.listPets(context);
        },
      };
    },
    thirty,
  ),
  fault(
    'filter-stays-for-connection',
    'list.read-only',
    'The filter is kept in the session of the connection: lists without status repeat the last one.',
    (parts) => {
      const kept = new WeakMap<object, Status>();
      return {
        listPets: (context) => {
          const { call } = context;
          const status = statusOf(parts, call);
          if (status !== undefined) kept.set(call.connection, status);
          const stayed = kept.get(call.connection);
          return status === undefined && stayed !== undefined ? filteredBy(parts, context, stayed) : parts.listPets(context);
        },
      };
    },
    thirty,
  ),
  fault(
    'filter-stays-for-ever',
    'list.complete',
    'The filter object is a constant of the module, and only set: lists without status are filtered by the last one.',
    (parts) => {
      let kept: Status | undefined;
      return {
        listPets: (context) => {
          const status = statusOf(parts, context.call);
          kept = status ?? kept;
          return status === undefined && kept !== undefined ? filteredBy(parts, context, kept) : parts.listPets(context);
        },
      };
    },
    thirty,
  ),
  fault(
    'limit-stays-for-ever',
    'list.limit-default',
    'The page size is a constant of the module, and only set: lists without limit have the last one.',
    (parts) => {
      let kept = DEFAULT_LIMIT;
      return {
        page: (animals, query, call) => {
          if (call.query.has('limit')) kept = query.limit;
          return parts.page(animals, { ...query, limit: kept }, call);
        },
      };
    },
    thirty,
  ),
];
