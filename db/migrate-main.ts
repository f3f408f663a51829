import { readEnv } from '../server/platform';
import { migrateDatabase } from './migrate';

/** `assay migrate`: applies what is missing; exit 1 with one sentence when it cannot. */
try {
  const { applied, net } = await migrateDatabase(readEnv().databaseUrl);
  process.stdout.write(
    applied === 0 ? 'schema is up to date\n' : `applied ${applied} migration(s)\n`,
  );
  if (!net.on)
    process.stderr.write(
      `row-level security is not under the tables (${net.reason}): ${net.advice}\n`,
    );
} catch (error) {
  process.stderr.write(
    `migration failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
