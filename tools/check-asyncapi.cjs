// Reads docs/asyncapi.yaml with AsyncAPI's own parser and lists what it takes for an error.
const { readFileSync } = require('node:fs');
const { Parser } = require('@asyncapi/parser');

const ERROR = 0;

new Parser().parse(readFileSync('docs/asyncapi.yaml', 'utf8')).then(({ diagnostics }) => {
  const errors = diagnostics.filter(({ severity }) => severity === ERROR);
  for (const { path, message } of errors) console.error(`docs/asyncapi.yaml: ${path.join('.')}: ${message}`);
  process.exitCode = errors.length > 0 ? 1 : 0;
});
