import { readEnv } from '../server/platform';
import { migrateDatabase } from './migrate';

/**
 * `assay migrate`: applies pending migrations. On failure it prints one sentence and exits with 1.
 */
try {
  const { applied, rlsStatus } = await migrateDatabase(readEnv().databaseUrl);
  process.stdout.write(
    applied === 0 ? 'schema is up to date\n' : `applied ${applied} migration(s)\n`,
  );
  if (!rlsStatus.on)
    process.stderr.write(
      `row-level security is not enabled (${rlsStatus.reason}): ${rlsStatus.advice}\n`,
    );
} catch (error) {
  process.stderr.write(
    `migration failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
