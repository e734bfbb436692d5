/**
 * A contract suite imports `describe`, `it` and `expect` from vitest; who imports `portico/testing` brings a runner of
 * their own. So the published suites use the runner's globals, and the entry can be imported where there is no runner.
 */
export const runnerGlobals = {
  name: 'runner-globals',
  enforce: 'pre',
  resolveId: (id) => (id === 'vitest' ? '\0runner-globals' : null),
  load(id) {
    if (id !== '\0runner-globals') return null;
    const names = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test', 'vi'];
    const missing = 'portico/testing needs a test runner with global functions, such as vitest with `globals: true`';
    return [
      `const missing = () => { throw new Error(${JSON.stringify(missing)}); };`,
      `const runner = (name) => new Proxy(function () {}, {`,
      `  apply: (_f, _this, args) => (globalThis[name] ?? missing())(...args),`,
      `  get: (_f, key) => (globalThis[name] ?? missing())[key],`,
      `});`,
      ...names.map((name) => `export const ${name} = /* @__PURE__ */ runner('${name}');`),
    ].join('\n');
  },
};
