/** A script as the text of one file, which `scripts/vite/early-script.ts` builds. */
declare module '*?script' {
  const text: string;
  export default text;
}
