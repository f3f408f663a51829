import type { Fragment, Sql } from 'postgres';

/** A relation with `turn_id`: the turns that an experiment created. */
export const turnsOfExperiment = (
  sql: Sql,
  projectId: string,
  experimentId: string,
): Fragment => sql`
  select turn_id from experiment_rows
  where project_id = ${projectId} and experiment_id = ${experimentId} and turn_id is not null`;
