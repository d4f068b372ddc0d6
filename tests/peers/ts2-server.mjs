// A server on the TypeScript SDK 2.x: its tools return with their questions (2026-07-28); the SDK serves older clients.
//   node ts2-server.mjs           over stdio
//   node ts2-server.mjs http      over HTTP; the first line it prints is its address
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, createRequestStateCodec, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const DEPLOYMENT = {
  type: 'object',
  properties: {
    environment: { type: 'string', title: 'Environment', enum: ['staging', 'production'] },
    notify: { type: 'boolean', title: 'Tell the team', default: false },
  },
  required: ['environment'],
};
const REASON = { type: 'object', properties: { reason: { type: 'string', title: 'Reason', minLength: 3 } }, required: ['reason'] };

const state = createRequestStateCodec({ key: randomBytes(32) });
const asText = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

// What the person said under one key, as the wire has it.
function answered(context, key) {
  const { kind, ...answer } = inputResponse(context.mcpReq.inputResponses, key);
  return kind === 'elicit' ? answer : undefined;
}

// Two rounds: an enum and a boolean, then a text; the first answer waits in requestState.
async function deploy(context) {
  const first = context.mcpReq.requestState() ?? answered(context, 'deployment');
  if (first === undefined) {
    const deployment = inputRequired.elicit({ message: 'Where to deploy?', requestedSchema: DEPLOYMENT });
    return inputRequired({ inputRequests: { deployment } });
  }
  if (first.action !== 'accept') return asText([first]);
  const second = answered(context, 'reason');
  if (second !== undefined) return asText([first, second]);
  const reason = inputRequired.elicit({ message: `Why ${first.content.environment}?`, requestedSchema: REASON });
  return inputRequired({ inputRequests: { reason }, requestState: await state.mint(first, context) });
}

async function authorize(context) {
  const answer = answered(context, 'visit');
  if (answer !== undefined) return asText(answer);
  const visit = inputRequired.elicitUrl({ message: 'Sign in, then come back', url: 'https://example.com/sign-in' });
  return inputRequired({ inputRequests: { visit } });
}

function build() {
  const server = new McpServer({ name: 'typescript-2', version: '1.0.0' }, { requestState: { verify: state.verify } });
  server.registerTool('deploy', { description: 'Asks twice' }, deploy);
  server.registerTool('authorize', { description: 'Asks to visit an address' }, authorize);
  return server;
}

if (process.argv[2] === 'http') {
  const listener = createServer(toNodeHandler(createMcpHandler(build)));
  listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
} else {
  serveStdio(build);
}
