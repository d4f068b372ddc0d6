// A legacy server on the TypeScript SDK 1.x: its tools ask by a request of their own, and return what came as JSON.
//   node ts1-server.mjs           over stdio
//   node ts1-server.mjs http      over HTTP with sessions; the first line it prints is its address
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const DEPLOYMENT = {
  type: 'object',
  properties: {
    environment: { type: 'string', title: 'Environment', enum: ['staging', 'production'] },
    notify: { type: 'boolean', title: 'Tell the team', default: false },
  },
  required: ['environment'],
};

const asText = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

function build() {
  const server = new McpServer({ name: 'typescript-1', version: '1.0.0' });
  server.registerTool('deploy', { description: 'Asks for an enum and a boolean' }, async () =>
    asText(await server.server.elicitInput({ message: 'Where to deploy?', requestedSchema: DEPLOYMENT })),
  );
  server.registerTool('authorize', { description: 'Asks to visit an address' }, async () => {
    const elicitationId = randomUUID();
    const question = { mode: 'url', message: 'Sign in, then come back', url: 'https://example.com/sign-in', elicitationId };
    const answer = await server.server.elicitInput(question);
    if (answer.action === 'accept') await server.server.createElicitationCompletionNotifier(elicitationId)();
    return asText(answer);
  });
  return server;
}

async function serveHttp() {
  const sessions = new Map();
  const listener = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await build().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
}

if (process.argv[2] === 'http') await serveHttp();
else await build().connect(new StdioServerTransport());
