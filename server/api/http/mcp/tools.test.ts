import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mcpTools } from './tools';

const page = readFileSync('docs/how-to/use-mcp.md', 'utf8');

describe('tools for agents', () => {
  it('are all in the documentation, in a row of their scope', () => {
    const rows = new Map<string, string>();
    let scope = '';
    for (const [, first = '', tools = ''] of page.matchAll(/^\| (\S*) +\| (`[a-z_]+`.*)\|$/gm)) {
      scope = first.replaceAll('`', '') || scope;
      for (const [, name = ''] of tools.matchAll(/`([a-z_]+)`/g)) rows.set(name, scope);
    }
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(mcpTools.map(({ name, route }) => [name, route.scope])),
    );
  });

  it.each(mcpTools)(
    '$name: its schema has every argument of its route',
    ({ inputSchema, route }) => {
      const members = Object.keys(inputSchema.properties as object);
      for (const name of [
        ...Object.keys(route.params?.shape ?? {}),
        ...Object.keys(route.query?.shape ?? {}),
      ])
        expect(members).toContain(name);
      const refs = JSON.stringify(inputSchema).matchAll(
        /"\$ref":"#\/(?:\$defs|components\/schemas)\/([^"]+)"/g,
      );
      for (const [, name = ''] of refs) expect(inputSchema.$defs).toHaveProperty(name);
    },
  );
});
