// What both clients share: how they are told what to do, and how they tell what happened.
//   node tsN-client.mjs '{"target": "http://…" or ["command", "argument", …], "tool": "deploy", "arguments": {},
//                         "capability": {"form": {}, "url": {}} or null, "answers": [{"action": "decline"}, "fail"]}'
// Each question gets the next answer, and the last one again; "fail" makes the client's own code throw. Prints one
// line of JSON: {"questions": [as they came], "revision": …, "result": … or "error": {"code", "message"}}.

export const order = JSON.parse(process.argv[2]);
export const capabilities = order.capability ? { elicitation: order.capability } : {};
export const isUrl = typeof order.target === 'string';
export const command = isUrl ? undefined : { command: order.target[0], args: order.target.slice(1), stderr: 'inherit' };

const questions = [];

export function answer({ params }) {
  const prepared = order.answers[Math.min(questions.length, order.answers.length - 1)];
  questions.push(params);
  if (prepared === 'fail') throw new Error('this client could not show the question');
  return prepared;
}

export async function run(client, transport, revision) {
  await client.connect(transport);
  const outcome = await client
    .callTool({ name: order.tool, arguments: order.arguments ?? {} })
    .then((result) => ({ result }), ({ code, message }) => ({ error: { code, message } }));
  console.log(JSON.stringify({ questions, revision: revision(), ...outcome }));
  await client.close();
}
