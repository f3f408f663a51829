import {
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsIsoDateTime,
  parseAsNumberLiteral,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { SteeringRecord, GatewayReason, GatewayVerdict } from '@/server/domain';

export const periods = [1, 7, 30] as const;
export type Days = (typeof periods)[number];
export const periodName: Record<Days, string> = { 1: 'Today', 7: '7 days', 30: '30 days' };

/** The period of the gateway's page is kept in the URL. */
export const periodParsers = { days: parseAsNumberLiteral(periods).withDefault(7) };

const steerStates = SteeringRecord.shape.state.options;

/**
 * The filters of the list of calls are kept in the URL, so that Back works and a view can be
 * shared.
 */
export const filterParsers = {
  verdict: parseAsArrayOf(parseAsStringLiteral(GatewayVerdict.options)).withDefault([]),
  reason: parseAsStringLiteral(GatewayReason.options),
  steer: parseAsArrayOf(parseAsStringLiteral(steerStates)).withDefault([]),
  held: parseAsBoolean,
  route: parseAsString,
  session: parseAsString,
  model: parseAsString,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export interface Filters {
  readonly verdict: GatewayVerdict[];
  readonly reason: GatewayReason | null;
  readonly steer: SteeringRecord['state'][];
  readonly held: boolean | null;
  readonly route: string | null;
  readonly session: string | null;
  readonly model: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export const noFilters: Filters = {
  verdict: [],
  reason: null,
  steer: [],
  held: null,
  route: null,
  session: null,
  model: null,
  from: null,
  to: null,
};

/** `?verdict=steered&route=openai`, or nothing without filters. */
export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

export function isFiltered(filters: Filters): boolean {
  return filterQuery(filters) !== '';
}

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, filters: Filters) {
  const { verdict, reason, steer, held, route, session, model, from, to } = filters;
  return {
    project,
    limit: 50,
    ...(verdict.length > 0 && { verdict }),
    ...(reason !== null && { reason }),
    ...(steer.length > 0 && { steer }),
    ...(held === true && { held }),
    ...(route !== null && { route }),
    ...(session !== null && { session }),
    ...(model !== null && { model }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}
