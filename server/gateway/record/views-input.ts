import { z } from 'zod';
import { SteeringRecord, GatewayReason, GatewayVerdict } from '../../domain';

const Project = z.object({ project: z.string().min(2).max(40) });
const Text = z.string().max(300);
const Paging = {
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
};

/** Whole UTC days up to today. */
const GatewayPeriod = z.strictObject({
  days: z.union([z.literal(1), z.literal(7), z.literal(30)]),
});
export const GatewayPeriodIn = GatewayPeriod.extend(Project.shape);

export const SteerState = SteeringRecord.shape.state;
export type SteerState = z.infer<typeof SteerState>;

/** Filters of the call list, also in the console's URL. */
export const CallFilters = z.strictObject({
  verdict: z.array(GatewayVerdict).max(5).optional(),
  reason: GatewayReason.optional(),
  /** Calls that the verifier wanted to steer, by the result of the note. */
  steer: z.array(SteerState).max(10).optional(),
  /** Only buffered answers. */
  held: z.boolean().optional(),
  route: Text.optional(),
  session: Text.optional(),
  model: Text.optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  ...Paging,
});
export type CallFilters = z.infer<typeof CallFilters>;
export const ListCallsIn = CallFilters.extend(Project.shape);

export const GatewaySessionFilters = z.strictObject(Paging);
export type GatewaySessionFilters = z.infer<typeof GatewaySessionFilters>;
export const ListGatewaySessionsIn = GatewaySessionFilters.extend(Project.shape);

export const GatewaySessionRef = z.strictObject({ id: z.string().min(1).max(500), ...Paging });
export type GatewaySessionRef = z.infer<typeof GatewaySessionRef>;
export const GetGatewaySessionIn = GatewaySessionRef.extend(Project.shape);
