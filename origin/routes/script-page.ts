/** An empty page that runs a script: the text of its functions, the call last. */
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
