import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { readConnection } from './arguments';
import type { Command } from './command';
import { exitCodes } from './failure';

const help = `assay mcp                 the Model Context Protocol over standard input and output, for agents
The tools are those that the scopes of the API key allow: read to look, verify to verify and start
experiments, write to label and to save prompt drafts. It ends with its input.
`;

/** JSON-RPC: an error of the server itself. */
const internalError = -32603;

/** Passes messages between an agent on standard input and output and the server's `/mcp`. */
export const mcp: Command = {
  help,
  options: {},
  async run(flags, terminal, env) {
    const { url, key } = readConnection(flags, env);
    const agent = new StdioServerTransport();
    const server = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    const pending = new Set<Promise<void>>();
    agent.onmessage = (message) => {
      const sent = pass(message);
      pending.add(sent);
      void sent.finally(() => pending.delete(sent));
    };
    server.onmessage = (message) => {
      const version = versionIn(message);
      if (version !== null) server.setProtocolVersion(version);
      agent.send(message).catch(() => undefined);
    };
    async function pass(message: JSONRPCMessage): Promise<void> {
      try {
        await server.send(message);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        terminal.err(`assay mcp: ${reason}`);
        if (!isJSONRPCRequest(message)) return;
        const { id } = message;
        await agent.send({ jsonrpc: '2.0', id, error: { code: internalError, message: reason } });
      }
    }
    const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
    await server.start();
    await agent.start();
    await ended;
    await Promise.all(pending);
    await server.close();
    return exitCodes.done;
  },
};

/** The protocol version that an answer to `initialize` agrees on; later requests name it. */
function versionIn(message: JSONRPCMessage): string | null {
  if (!isJSONRPCResultResponse(message)) return null;
  const read = InitializeResultSchema.safeParse(message.result);
  return read.success ? read.data.protocolVersion : null;
}
