// What both clients share: how they are told what to do, and how they tell what happened.
//   node tsN-client.mjs '{"target": "http://…" or ["command", "argument", …],
//                         "capability": {"form": {}, "url": {}} or null,
//                         "calls": [{"tool": "deploy", "arguments": {}, "answers": [{"action": "decline"}, "fail"]}]}'
// The calls are made one after the other on one connection. Each question of a call gets the call's next answer, and
// the last one again; "fail" makes the client's own code throw. Prints one line of JSON: {"revision": …, "calls":
// [{"questions": [as they came], "result": … or "error": {"code", "message"}}]}.

export const order = JSON.parse(process.argv[2]);
export const capabilities = order.capability ? { elicitation: order.capability } : {};
export const isUrl = typeof order.target === 'string';
export const command = isUrl ? undefined : { command: order.target[0], args: order.target.slice(1), stderr: 'inherit' };

let current;

export function answer({ params }) {
  const { questions, answers } = current;
  const prepared = answers[Math.min(questions.length, answers.length - 1)];
  questions.push(params);
  if (prepared === 'fail') throw new Error('this client could not show the question');
  return prepared;
}

async function call(client, { tool, arguments: given, answers }) {
  current = { questions: [], answers };
  const outcome = await client.callTool({ name: tool, arguments: given ?? {} }).then(
    (result) => ({ result }),
    ({ code, message }) => ({ error: { code, message } }),
  );
  return { questions: current.questions, ...outcome };
}

export async function run(client, transport, revision) {
  await client.connect(transport);
  const calls = [];
  for (const one of order.calls) calls.push(await call(client, one));
  console.log(JSON.stringify({ revision: revision(), calls }));
  await client.close();
}
