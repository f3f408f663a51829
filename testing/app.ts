import { createApp } from '../server/api/http';
import type { Runtime } from '../server/runtime';

type App = ReturnType<typeof createApp>;

const apps = new WeakMap<Runtime, Map<string, App>>();

/** The HTTP API of a runtime: like in a process, created once for all requests. */
export function appOf(runtime: Runtime, basePath = ''): App {
  const ofRuntime = apps.get(runtime) ?? new Map<string, App>();
  apps.set(runtime, ofRuntime);
  const app = ofRuntime.get(basePath) ?? createApp(runtime, basePath);
  ofRuntime.set(basePath, app);
  return app;
}
