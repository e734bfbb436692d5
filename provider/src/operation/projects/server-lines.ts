/** A line of the log of a project's server, with the name of the project. */
export function labelled(project: string, line: string, { format }: { readonly format: 'json' | 'text' }): string {
  if (format === 'text') return `${project}: ${line}\n`;
  const name = `"project":${JSON.stringify(project)}`;
  if (line.startsWith('{"')) return `{${name},${line.slice(1)}\n`;
  // A sentence that a server prints before its log is set up.
  return `{"level":"error",${name},"time":"${new Date().toISOString()}","message":${JSON.stringify(line)}}\n`;
}
