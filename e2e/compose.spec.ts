// deploy/compose.yaml without Docker: its own start commands and health checks, against PostgreSQL
// and Redis of this machine.
import { expect, test } from '@playwright/test';
import { readCompose } from './compose-file';
import { createLocalServices, type LocalServices, missing } from './local-services';
import { verifyOnServices } from './verify-on-services';

let local: LocalServices | null = null;

test.afterAll(() => local?.remove());

test('the services of the compose file start in their order, serve, and stop on request', async () => {
  test.skip(missing !== null, missing ?? '');
  test.setTimeout(180_000);
  const services = readCompose({
    POSTGRES_PASSWORD: 'ofcompose0123456789',
    ASSAY_SECRET: 'secret-of-the-compose-test-0123456789',
  });
  local = await createLocalServices(services, Object.keys(services));
  expect(await local.start()).toEqual(['edge', 'migrate', 'postgres', 'redis', 'web', 'worker']);
  await verifyOnServices(local);
  await local.stop();
});
