// packages/cli/src/help.ts
const purpose = "Test HTTP APIs with files in your repository.";
/** The options of every command, which the parser handles itself. */
const always = [{
	name: "help",
	summary: "Show this help."
}, {
	name: "version",
	summary: "Show the version."
}];
/** Formats a synopsis such as `env read <api> <environment> [<name>]`. */
function synopsis(row) {
	if (row.synopsis !== void 0) return `${row.name} ${row.synopsis}`;
	const words = row.arguments.map(({ name, choices, optional, repeats }) => {
		const word = (choices === void 0 ? `<${name}>` : choices.join("|")) + (repeats === true ? "..." : "");
		return optional === true ? `[${word}]` : word;
	});
	return [row.name, ...words].join(" ");
}
const argumentSummary = ({ summary, choices }) => choices === void 0 ? summary : extended(summary, `: ${choices.join(", ")}`);
const optionSummary = ({ summary, repeats }) => repeats === true ? extended(summary, " (repeatable)") : summary;
/** Adds words to a sentence before its period. */
const extended = (sentence, more) => `${sentence.slice(0, -1)}${more}.`;
function optionText({ name, value, valueOptional }) {
	if (value === void 0) return `--${name}`;
	return valueOptional === true ? `--${name}[=${value}]` : `--${name} ${value}`;
}
// packages/cli/src/man-page.ts
/** Renders the page with the macros of man(7). */
function renderManPage(table, version) {
	return [
		`.TH CALLSHEET 1 "" "callsheet ${version}" "User Commands"`,
		".SH NAME",
		`callsheet \\- ${escape(purpose.replace(/\.$/, ""))}`,
		".SH SYNOPSIS",
		".B callsheet\n.I command\n.RI [ options ]",
		".SH COMMANDS",
		...table.commands.map(section),
		".SH OPTIONS",
		"Every command takes these options.",
		...[...table.common, ...always].map(option),
		""
	].join("\n");
}
const section = (row) => [
	`.SS callsheet ${escape(synopsis(row))}`,
	escape(row.summary),
	...(row.details ?? []).map((text) => `.PP\n${escape(text)}`),
	...row.arguments.map((argument) => entry(`<${argument.name}>`, argumentSummary(argument))),
	...row.options.map(option),
	...row.examples === void 0 ? [] : [`.PP\nExamples:\n.nf\n${row.examples.map(escape).join("\n")}\n.fi`]
].join("\n");
const option = (row) => entry(optionText(row), optionSummary(row));
const entry = (name, text) => `.TP\n.B ${escape(name)}\n${escape(text)}`;
/** Escapes backslashes and hyphens, and a dot or quote that would start a request. */
const escape = (text) => text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll(/^(?=[.'])/gm, "\\&");
export { renderManPage };
