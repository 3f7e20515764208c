/** An empty page that runs a script: the source text of its functions, then the call. */
export function scriptPage(title: string, script: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cachescope: ${title}</title>
<link rel="icon" href="data:,">
<script type="module">
${script.join('\n').replaceAll('</', String.raw`<\/`)}
</script>
</html>
`;
}
