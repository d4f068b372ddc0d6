// A legacy client on the TypeScript SDK 1.x; order.mjs says how it is used.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

import { answer, capabilities, command, isUrl, order, run } from './order.mjs';

const client = new Client({ name: 'typescript-1-client', version: '1.0.0' }, { capabilities });
if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, answer);

const transport = isUrl ? new StreamableHTTPClientTransport(new URL(order.target)) : new StdioClientTransport(command);

// The SDK tells the negotiated revision to its transport alone.
let negotiated;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  negotiated = version;
  tell?.(version);
};

await run(client, transport, () => negotiated);
