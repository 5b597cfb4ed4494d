// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * demangle.c - libiberty's demanglers, with limits
 *
 * Names are untrusted, and libiberty itself has no limits.  A substitution repeats a part of the name, so each one can
 * double the result: a name of 300 bytes can need gigabytes and hours.  So each name has limits for its
 *
 *	input	bytes of the name: libiberty recurses, and needs up to 500 bytes of stack for each byte of the name
 *	output	bytes of the result: it arrives in pieces; when there are too many bytes, longjmp() leaves libiberty
 *	steps	units of work, estimated before the name is printed: some short results are expensive
 *
 * All names of a run together have a limit of steps, too.  Each name has some steps free, so that ordinary names do not
 * count towards that limit (FREE_STEPS).
 */
#include "config.h"
#include "tool/demangle.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/strbuf.h"
#include "compat/atomic.h"

#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY
#ifdef HAVE_LIBIBERTY_DEMANGLE_H
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif
const bool demangle_available = true;
#else
const bool demangle_available = false;
#endif

bool demangle_set_style(const char *name)
{
	static const char *const styles[] = { "none", "auto", "gnu-v3", "java", "gnat", "dlang", "rust" };
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		if (strcmp(name, styles[i]) != 0)
			continue;
#ifdef HAVE_LIBIBERTY
		enum demangling_styles style = cplus_demangle_name_to_style(name);
		if (style != unknown_demangling)
			cplus_demangle_set_style(style);
#endif
		return true;
	}
	return false;
}

#ifdef HAVE_LIBIBERTY
enum {
	INPUT_SIZE_MAX = 4096,	 /* the most bytes of a name: 2 MB of stack, at 500 bytes for each byte */
	OUTPUT_SIZE_MAX = 16384, /* the most bytes of a result */
	SHORT_RESULT_MAX = 255,	 /* the most bytes of a result without parameters: of a string in a .rossym table */
	FIRST_PIECE = 256,	 /* the bytes of a result that libiberty collects before it passes on the first piece */
	/* A step is the time to visit a node of libiberty's tree; printing a byte takes about four steps. */
	BYTE_STEPS = 4,
	FREE_STEPS = 48,	/* free steps for each byte of a name: nearly all real names need less */
	STEPS_MAX = 1 << 24,	/* the most steps of one name, in addition to its free ones: about 50 ms */
	D_RESULT_MAX = 1 << 20, /* the most bytes of the result of a D name, which libiberty returns only as a whole */
};

/* The steps of all names together, in addition to the free ones: about a second. */
#define ALL_STEPS (1LL << 28)
static RS_ATOMIC(long long) steps_left = ALL_STEPS;
static RS_ATOMIC(bool) gave_up; /* a name stayed mangled because of the limit ALL_STEPS */

/* Returns how many steps a name of LENGTH bytes may take now. */
static uint64_t count_affordable_steps(size_t length)
{
	long long left = atomic_load_explicit(&steps_left, memory_order_relaxed);
	uint64_t more = left < 0 ? 0 : left < STEPS_MAX ? (uint64_t)left : STEPS_MAX;
	return (uint64_t)FREE_STEPS * length + more;
}

/* Call this when a name of LENGTH bytes has taken STEPS.  Subtracts from `steps_left` those that are not free. */
static void pay_steps(uint64_t steps, size_t length)
{
	uint64_t free_steps = (uint64_t)FREE_STEPS * length;
	if (steps > free_steps)
		atomic_fetch_sub_explicit(&steps_left, (long long)(steps - free_steps), memory_order_relaxed);
}

/* Call this for a name of LENGTH bytes that would take too many steps.  Sets `gave_up` if earlier names are the reason:
   they have left fewer than STEPS_MAX steps besides the name's free ones. */
static void note_giving_up(size_t length)
{
	if (count_affordable_steps(length) < (uint64_t)FREE_STEPS * length + STEPS_MAX)
		atomic_store_explicit(&gave_up, true, memory_order_relaxed);
}

/* Whether a name of LENGTH bytes may take STEPS more steps.  If so, subtracts them as pay_steps() does. */
static bool try_to_pay_steps(uint64_t steps, size_t length)
{
	if (steps > count_affordable_steps(length)) {
		note_giving_up(length);
		return false;
	}
	pay_steps(steps, length);
	return true;
}

bool demangle_gave_up(void)
{
	return atomic_load_explicit(&gave_up, memory_order_relaxed);
}

/* ---------------------------------------------------------------------------------- collecting a result */

/* The result for one name, which libiberty passes on in pieces. */
struct demangle_sink {
	jmp_buf full;		   /* for longjmp() when the result is too long */
	char *text;		   /* from malloc(), without a NUL */
	size_t length, room, most; /* the result must be shorter than MOST bytes; if it is not, MOST becomes 0 */
};

/* libiberty's callback: append a piece of the result.  If the result becomes too long, leave libiberty by longjmp().
   That would leak memory in one case: the Rust demangler holds an allocation while it passes on a Punycode name,
   character by character.  So a piece that may be such a character, one byte or not ASCII, is only dropped; longjmp()
   waits for a longer ASCII piece, such as "::", which always follows. */
static void append_piece(const char *text, size_t length, void *context)
{
	struct demangle_sink *sink = context;
	if (length >= sink->room - sink->length) {
		size_t room = sink->length + length < sink->most ? (sink->length + length) * 2 + 64 : 0;
		char *grown = room ? realloc(sink->text, room) : NULL;
		if (!grown) {
			sink->most = 0;
			if (length > 1 && (unsigned char)text[0] < 0x80)
				longjmp(sink->full, 1);
			return;
		}
		sink->text = grown;
		sink->room = room;
	}
	memcpy(sink->text + sink->length, text, length);
	sink->length += length;
}

/* A demangler of libiberty, which passes its result to CALLBACK in pieces.  Returns 0 if NAME is not mangled. */
typedef int engine_fn(const char *name, int options, demangle_callbackref callback, void *context);

/* Let ENGINE fill SINK.  Returns false if NAME is not mangled, or its result is too long.  This code is not part of its
   caller, because after longjmp() the local variables of a function that called setjmp() may have lost their values. */
static bool run_engine(struct demangle_sink *sink, engine_fn *engine, const char *name, int options)
{
	if (setjmp(sink->full) != 0)
		return false;
	return engine(name, options, append_piece, sink) && sink->length > 0 && sink->length < sink->most;
}

/* Returns the result of ENGINE for NAME, which the caller frees.  A byte of the result costs WEIGHT steps.  NULL: NAME
   is not mangled, or the result has more than MOST bytes or would take too many steps. */
static char *demangle_with_engine(engine_fn *engine, const char *name, int options, size_t most, uint64_t weight)
{
	size_t length = strlen(name);
	uint64_t affords = count_affordable_steps(length) / weight; /* how many bytes the result may have */
	struct demangle_sink sink = { .most = (affords < most ? (size_t)affords : most) + 1 };
	if (weight > FREE_STEPS && affords < FIRST_PIECE) {
		note_giving_up(length);
		return NULL;
	}
	bool good = run_engine(&sink, engine, name, options);
	/* After a failure, pay also for a piece, of at most FIRST_PIECE bytes, that libiberty may have made but not
	   passed on. */
	pay_steps((sink.length + (good || weight <= FREE_STEPS ? 0 : FIRST_PIECE)) * weight, length);
	if (!good) {
		if (sink.most == 0 && affords < most)
			note_giving_up(length);
		free(sink.text);
		return NULL;
	}
	sink.text[sink.length] = '\0';
	return sink.text;
}

/* ---------------------------------------------------------------------------------- estimating the cost */

/* Types of components (the nodes of libiberty's tree of a name) that contain no other components. */
static const unsigned char without[] = { DEMANGLE_COMPONENT_NAME,	    DEMANGLE_COMPONENT_TEMPLATE_PARAM,
					 DEMANGLE_COMPONENT_FUNCTION_PARAM, DEMANGLE_COMPONENT_SUB_STD,
					 DEMANGLE_COMPONENT_BUILTIN_TYPE,   DEMANGLE_COMPONENT_FIXED_TYPE,
					 DEMANGLE_COMPONENT_OPERATOR,	    DEMANGLE_COMPONENT_NUMBER,
					 DEMANGLE_COMPONENT_CHARACTER,	    DEMANGLE_COMPONENT_UNNAMED_TYPE };

#define THREE(a, b, c) DEMANGLE_COMPONENT_##a, DEMANGLE_COMPONENT_##b, DEMANGLE_COMPONENT_##c

/* Types of components that contain at most two other components. */
static const unsigned char with_two[] = {
	THREE(QUAL_NAME, LOCAL_NAME, TYPED_NAME),
	THREE(TEMPLATE, RESTRICT, VOLATILE),
	THREE(CONST, RESTRICT_THIS, VOLATILE_THIS),
	THREE(CONST_THIS, REFERENCE_THIS, RVALUE_REFERENCE_THIS),
	THREE(VENDOR_TYPE_QUAL, POINTER, REFERENCE),
	THREE(RVALUE_REFERENCE, COMPLEX, IMAGINARY),
	THREE(VENDOR_TYPE, FUNCTION_TYPE, ARRAY_TYPE),
	THREE(PTRMEM_TYPE, VECTOR_TYPE, ARGLIST),
	THREE(TEMPLATE_ARGLIST, INITIALIZER_LIST, CAST),
	THREE(CONVERSION, NULLARY, BINARY),
	THREE(BINARY_ARGS, TRINARY, TRINARY_ARG1),
	THREE(TRINARY_ARG2, LITERAL, LITERAL_NEG),
	THREE(DECLTYPE, TRANSACTION_SAFE, CLONE),
	THREE(NOEXCEPT, THROW_SPEC, TAGGED_NAME),
	THREE(VTABLE, VTT, CONSTRUCTION_VTABLE),
	THREE(TYPEINFO, TYPEINFO_NAME, TYPEINFO_FN),
	THREE(THUNK, VIRTUAL_THUNK, COVARIANT_THUNK),
	THREE(JAVA_CLASS, GUARD, REFTEMP),
	THREE(TLS_INIT, TLS_WRAPPER, HIDDEN_ALIAS),
	THREE(TRANSACTION_CLONE, NONTRANSACTION_CLONE, GLOBAL_CONSTRUCTORS),
	THREE(GLOBAL_DESTRUCTORS, JAVA_RESOURCE, COMPOUND_NAME),
};

#undef THREE

static bool is_type_among(enum demangle_component_type type, const unsigned char *types, size_t count)
{
	return (unsigned)type <= UCHAR_MAX && memchr(types, (int)type, count) != NULL;
}

/* Returns the number of components in the tree of COMPONENT; a component with several parents counts once for each of
   them.  To print a parameter pack, libiberty searches a whole subtree for it, once for each element.  If such a
   subtree has more than *WIDEST components, stores their number in *WIDEST.  The numbers are cached in d_printing, a
   member that libiberty uses only while it prints. */
static int count_components(struct demangle_component *component, int *widest)
{
	enum { COMPONENTS_MAX = INT_MAX / 4 };
	int left = 0, right = 0;
	if (!component)
		return 0;
	if (component->d_printing)
		return component->d_printing;
	component->d_printing = 1;
	switch (component->type) {
	case DEMANGLE_COMPONENT_PACK_EXPANSION:
		left = count_components(component->u.s_binary.left, widest);
		*widest = left > *widest ? left : *widest;
		return 1;	       /* libiberty does not search a pack expansion inside another one */
	case DEMANGLE_COMPONENT_UNARY: /* for sizeof..., libiberty searches its operand for a pack */
		right = count_components(component->u.s_binary.right, widest);
		*widest = right > *widest ? right : *widest;
		break;
	case DEMANGLE_COMPONENT_CTOR:
		left = count_components(component->u.s_ctor.name, widest);
		break;
	case DEMANGLE_COMPONENT_DTOR:
		left = count_components(component->u.s_dtor.name, widest);
		break;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		left = count_components(component->u.s_extended_operator.name, widest);
		break;
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		left = count_components(component->u.s_unary_num.sub, widest);
		break;
	default:
		if (is_type_among(component->type, with_two, sizeof with_two)) {
			left = count_components(component->u.s_binary.left, widest);
			right = count_components(component->u.s_binary.right, widest);
		} else if (!is_type_among(component->type, without, sizeof without)) {
			*widest = COMPONENTS_MAX; /* a type of a newer libiberty, which may contain anything */
		}
		break;
	}
	component->d_printing = left > COMPONENTS_MAX - right ? COMPONENTS_MAX : 1 + left + right;
	return component->d_printing;
}

/* Whether NAME may have a parameter pack: the mangling marks its uses with "Dp", "sp", "sP" or "sZ".  This
   test is much cheaper than count_components(). */
static bool may_have_packs(const char *name)
{
	for (; *name; name++)
		if ((name[0] == 'D' && name[1] == 'p') ||
		    (name[0] == 's' && (name[1] == 'p' || name[1] == 'P' || name[1] == 'Z')))
			return true;
	return false;
}

/* Returns how many steps a byte of the result for a C++ name may cost: each byte can need a search
   for a parameter pack.  Skips the prefix of a global constructor or destructor, such as _GLOBAL__I_. */
static uint64_t estimate_byte_steps(const char *name, int options)
{
	static const char global[] = "_GLOBAL__I_";
	int widest = 0;
	void *memory = NULL;
	if (!may_have_packs(name))
		return BYTE_STEPS;
	if (strncmp(name, global, 8) == 0 && strlen(name) >= sizeof global)
		name += sizeof global - 1;
	count_components(cplus_demangle_v3_components(name, options, &memory), &widest);
	free(memory);
	return BYTE_STEPS + (uint64_t)widest;
}

/* Returns how many steps libiberty may need to parse a C++ name.  In the name of a conversion operator, "cv", it parses
   a template parameter that arguments follow, "T_I" or "T0_I", in two ways, and each time also the whole rest of the
   name.  So each "_I" can double the work. */
static uint64_t estimate_parse_steps(const char *name, size_t length)
{
	enum { BYTES_A_STEP_SHIFT = 4 }; /* a step is the time to parse 16 bytes */
	unsigned doubled = 0;
	if (!strstr(name, "cv"))
		return 0;
	for (const char *at = name; (at = strstr(at, "_I")); at += 2)
		doubled++;
	return (uint64_t)length << (doubled < 40 ? doubled : 40) >> BYTES_A_STEP_SHIFT;
}

/* Returns how many steps the result for a D name can take, computed from the greatest length that it can have.  A "Q"
   and a distance in letters refers back, either to a name, which begins with its length in digits, or to a type, which
   ends somewhere before the Q. */
static uint64_t estimate_d_steps(const char *name, size_t length)
{
	uint64_t at[INPUT_SIZE_MAX + 1] = { 0 }; /* at[i]: the greatest length of the result for the first i bytes */
	for (size_t i = 0; i < length; i++) {
		uint64_t more = 1;
		size_t back = 0, j = i + 1;
		while (name[i] == 'Q' && name[j] >= 'A' && name[j] <= 'Z' && back <= length)
			back = back * 26 + (size_t)(name[j++] - 'A');
		if (name[i] == 'Q' && name[j] >= 'a' && name[j] <= 'z') {
			back = back * 26 + (size_t)(name[j] - 'a');
			if (back > 0 && back <= i) {
				char first = name[i - back];
				more = first >= '0' && first <= '9' ? length : at[i] - at[i - back] + 1;
			}
		}
		at[i + 1] = at[i] + more;
		if (at[i + 1] > D_RESULT_MAX)
			return UINT64_MAX;
	}
	return at[length] * BYTE_STEPS;
}

/* ------------------------------------------------------------------------------------ demangling a name */

static int run_java_engine(const char *name, int options, demangle_callbackref callback, void *context)
{
	(void)options;
	return java_demangle_v3_callback(name, callback, context);
}

static char *demangle_cplus(engine_fn *engine, const char *name, int options, size_t most)
{
	size_t length = strlen(name);
	return try_to_pay_steps(estimate_parse_steps(name, length), length)
		       ? demangle_with_engine(engine, name, options, most, estimate_byte_steps(name, options))
		       : NULL;
}

/* libiberty returns the result for a D name only as a whole, so its length is limited beforehand. */
static char *demangle_dlang(const char *name, int options, size_t most)
{
	size_t length = strlen(name);
	char *plain = try_to_pay_steps(estimate_d_steps(name, length), length) ? dlang_demangle(name, options) : NULL;
	if (!plain || strlen(plain) <= most)
		return plain;
	free(plain);
	return NULL;
}

/* Returns what libiberty's cplus_demangle() would, with our limits: tries the languages in the same order. */
static char *demangle_in_style(const char *name, int options, size_t most)
{
	int style = (int)current_demangling_style;
	char *plain = NULL;
	if (current_demangling_style == no_demangling)
		return strdup(name);
	if (strlen(name) > INPUT_SIZE_MAX)
		return NULL;
	options |= style & DMGL_STYLE_MASK;
	if (style & (DMGL_RUST | DMGL_AUTO))
		plain = demangle_with_engine(rust_demangle_callback, name, options, most, BYTE_STEPS);
	if (!plain && (style & (DMGL_GNU_V3 | DMGL_AUTO)))
		plain = demangle_cplus(cplus_demangle_v3_callback, name, options, most);
	if (style & DMGL_JAVA)
		plain = demangle_cplus(run_java_engine, name, options | DMGL_JAVA, most);
	if (style & DMGL_GNAT)
		plain = ada_demangle(name, options);
	if (style & DMGL_DLANG)
		plain = demangle_dlang(name, options, most);
	return plain;
}

static char *demangle_maybe_underscored(const char *core, int options, size_t most)
{
	char *plain = demangle_in_style(core, options, most);
	/* A COFF name of i386 may still have its leading underscore. */
	return plain || strncmp(core, "__Z", 3) != 0 ? plain : demangle_in_style(core + 1, options, most);
}

char *demangle_without_parameters(const char *name)
{
	return demangle_maybe_underscored(name, DMGL_ANSI, SHORT_RESULT_MAX);
}

/* Returns true in the styles of Java, Ada and D, which only --demangle=STYLE can choose. */
bool demangle_may_change_all(void)
{
	return (int)current_demangling_style & (DMGL_JAVA | DMGL_GNAT | DMGL_DLANG);
}

/* Demangle NAME as demangle() does, but with OPTIONS of libiberty. */
static char *demangle_within_limits(const char *name, int options, bool deep)
{
	/* As in GNU addr2line, two parts are not demangled: "." and "$" before the name, which some targets add, and
	   everything from "@" on, which calling conventions and the linker add. */
	size_t lead = strspn(name, ".$"), length = strnlen(name, INPUT_SIZE_MAX + 1);
	if (length > INPUT_SIZE_MAX)
		return NULL;
	const char *at = strchr(name + lead, '@');
	size_t suffix = at && at != name + lead ? length - (size_t)(at - name) : 0;

	char *core = copy_text(name + lead, length - lead - suffix);
	if (!core)
		return NULL;
	if (deep)
		options |= DMGL_NO_RECURSE_LIMIT;
	char *plain = demangle_maybe_underscored(core, options, OUTPUT_SIZE_MAX);
	free(core);
	if (!plain || (lead == 0 && suffix == 0))
		return plain;

	struct strbuf whole = { .length = 0 };
	strbuf_addf(&whole, "%.*s%s%s", (int)lead, name, plain, name + length - suffix);
	free(plain);
	return whole.bytes;
}

char *demangle(const char *name, bool deep)
{
	return demangle_within_limits(name, DMGL_ANSI | DMGL_PARAMS, deep);
}

/* --------------------------------------------------------------------------------- finding the base name */

/* If P points at the name of an operator, returns the end of that name, before any template arguments; else P. */
static const char *skip_operator(const char *p)
{
	static const char word[] = "operator";
	const size_t length = sizeof word - 1;
	if (strncmp(p, word, length) != 0 || is_letter(p[length]) || is_digit(p[length]) || p[length] == '_')
		return p;
	p += length;
	if (*p == ' ' ||
	    *p == '"') /* a conversion, new, delete, or a suffix of literals: all that follows is its name */
		return p + strlen(p);
	return *p == '(' || *p == '[' ? p + 2 : p + strspn(p, "<>=!+-*/%&|^~,");
}

/* Returns where in the demangled name TEXT, which has no parameters, its last part begins: what is after the last "::"
   outside of brackets.  Inside round brackets "<" and ">" can be operators, so there they do not count as brackets. */
static const char *find_base_name(const char *text)
{
	const char *base = text;
	int round = 0, angle = 0;
	for (const char *p = skip_operator(text); *p;) {
		bool outside = round == 0 && angle == 0;
		if (outside && p[0] == ':' && p[1] == ':' && p[2] != '<') { /* Rust writes f::<T> */
			base = p + 2;
			p = skip_operator(base);
			continue;
		}
		if (*p == '(' || *p == '{')
			round++;
		else if (*p == ')' || *p == '}')
			round--;
		else if (*p == '<' && round == 0)
			angle++;
		else if (*p == '>' && round == 0 && p[-1] != '-') /* Rust writes fn() -> T */
			angle--;
		p++;
	}
	return base;
}

/* Copy the base name BASE to TO; the two may overlap.  ABI tags and the mark "[clone ...]" are left out, because names
   of functions in debug information have neither. */
static void copy_base_name(char *to, const char *base)
{
	const char *clone = strstr(base, " [clone "), *end = clone ? clone : base + strlen(base);
	while (base < end) {
		const char *tag = strncmp(base, "[abi:", 5) == 0 ? strchr(base, ']') : NULL;
		if (tag)
			base = tag + 1;
		else
			*to++ = *base++;
	}
	*to = '\0';
}

char *demangle_to_base_name(const char *name, bool deep)
{
	char *plain = demangle_within_limits(name, DMGL_ANSI, deep);
	if (plain)
		copy_base_name(plain, find_base_name(plain));
	return plain;
}
#else
bool demangle_may_change_all(void)
{
	return false;
}

char *demangle(const char *name, bool deep)
{
	(void)name;
	(void)deep;
	return NULL;
}

char *demangle_to_base_name(const char *name, bool deep)
{
	return demangle(name, deep);
}

char *demangle_without_parameters(const char *name)
{
	return demangle(name, false);
}

bool demangle_gave_up(void)
{
	return false;
}
#endif

void demangle_warn_if_gave_up(void)
{
	if (demangle_gave_up())
		diag_warning("some names are shown as they are: demangling all of them would take too long");
}
