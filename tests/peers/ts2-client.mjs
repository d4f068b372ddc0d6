// A modern client on the TypeScript SDK 2.x; order.mjs says how it is used.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { answer, capabilities, command, isUrl, order, run } from './order.mjs';

const client = new Client(
  { name: 'typescript-2-client', version: '1.0.0' },
  { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
if (capabilities.elicitation) client.setRequestHandler('elicitation/create', answer);

const transport = isUrl ? new StreamableHTTPClientTransport(new URL(order.target)) : new StdioClientTransport(command);

await run(client, transport, () => client.getNegotiatedProtocolVersion());
