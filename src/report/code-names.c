// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/code-names.h"

#include <stddef.h>
#include <string.h>

#define ACCESS "0: read, 1: write, 8: execute"
#define MEMORY "the memory that was accessed"
#define INSTRUCTION "the instruction that accessed it"
#define CODE "the exception code"
#define CONTEXT "context record"
#define ADDRESS "where the exception occurred"

/* An exception or a bugcheck.  The meanings of parameters are shortened from Microsoft's "Bug Check Code Reference". */
struct code_meaning {
	uint32_t code;
	const char *name;
	const char *parameters[BUGCHECK_PARAMETERS]; /* the meaning of each; NULL: it is not in our list */
};

static const struct code_meaning exceptions[] = {
	{ 0x40010005, "DBG_CONTROL_C", { NULL } },
	{ 0x4000001f, "STATUS_WX86_BREAKPOINT", { NULL } },
	{ 0x80000001, "EXCEPTION_GUARD_PAGE", { NULL } },
	{ 0x80000002, "EXCEPTION_DATATYPE_MISALIGNMENT", { NULL } },
	{ 0x80000003, "EXCEPTION_BREAKPOINT", { NULL } },
	{ 0x80000004, "EXCEPTION_SINGLE_STEP", { NULL } },
	{ 0xc0000005, "EXCEPTION_ACCESS_VIOLATION", { NULL } },
	{ 0xc0000006, "EXCEPTION_IN_PAGE_ERROR", { NULL } },
	{ 0xc0000008, "EXCEPTION_INVALID_HANDLE", { NULL } },
	{ 0xc000000d, "STATUS_INVALID_PARAMETER", { NULL } },
	{ 0xc0000017, "STATUS_NO_MEMORY", { NULL } },
	{ 0xc000001d, "EXCEPTION_ILLEGAL_INSTRUCTION", { NULL } },
	{ 0xc0000025, "EXCEPTION_NONCONTINUABLE_EXCEPTION", { NULL } },
	{ 0xc0000026, "EXCEPTION_INVALID_DISPOSITION", { NULL } },
	{ 0xc000008c, "EXCEPTION_ARRAY_BOUNDS_EXCEEDED", { NULL } },
	{ 0xc000008d, "EXCEPTION_FLT_DENORMAL_OPERAND", { NULL } },
	{ 0xc000008e, "EXCEPTION_FLT_DIVIDE_BY_ZERO", { NULL } },
	{ 0xc000008f, "EXCEPTION_FLT_INEXACT_RESULT", { NULL } },
	{ 0xc0000090, "EXCEPTION_FLT_INVALID_OPERATION", { NULL } },
	{ 0xc0000091, "EXCEPTION_FLT_OVERFLOW", { NULL } },
	{ 0xc0000092, "EXCEPTION_FLT_STACK_CHECK", { NULL } },
	{ 0xc0000093, "EXCEPTION_FLT_UNDERFLOW", { NULL } },
	{ 0xc0000094, "EXCEPTION_INT_DIVIDE_BY_ZERO", { NULL } },
	{ 0xc0000095, "EXCEPTION_INT_OVERFLOW", { NULL } },
	{ 0xc0000096, "EXCEPTION_PRIV_INSTRUCTION", { NULL } },
	{ 0xc00000fd, "EXCEPTION_STACK_OVERFLOW", { NULL } },
	{ 0xc0000135, "STATUS_DLL_NOT_FOUND", { NULL } },
	{ 0xc0000139, "STATUS_ENTRYPOINT_NOT_FOUND", { NULL } },
	{ 0xc0000194, "EXCEPTION_POSSIBLE_DEADLOCK", { NULL } },
	{ 0xc0000374, "STATUS_HEAP_CORRUPTION", { NULL } },
	{ 0xc0000409, "STATUS_STACK_BUFFER_OVERRUN", { NULL } },
	{ 0xc0000417, "STATUS_INVALID_CRUNTIME_PARAMETER", { NULL } },
	{ 0xc0000420, "STATUS_ASSERTION_FAILURE", { NULL } },
	{ 0xe06d7363, "C++ exception of Visual C++", { NULL } },
};

static const struct code_meaning bugchecks[] = {
	{ 0x00, "UNDEFINED_BUG_CODE", { NULL } },
	{ 0x01,
	  "APC_INDEX_MISMATCH",
	  { "the system function", "ApcStateIndex", "CombinedApcDisable", "0: system call, 1: worker routine" } },
	{ 0x02, "DEVICE_QUEUE_NOT_BUSY", { NULL } },
	{ 0x03, "INVALID_AFFINITY_SET", { NULL } },
	{ 0x04, "INVALID_DATA_ACCESS_TRAP", { NULL } },
	{ 0x05, "INVALID_PROCESS_ATTACH_ATTEMPT", { NULL } },
	{ 0x06, "INVALID_PROCESS_DETACH_ATTEMPT", { NULL } },
	{ 0x07, "INVALID_SOFTWARE_INTERRUPT", { NULL } },
	{ 0x08, "IRQL_NOT_DISPATCH_LEVEL", { NULL } },
	{ 0x09, "IRQL_NOT_GREATER_OR_EQUAL", { NULL } },
	{ 0x0a, "IRQL_NOT_LESS_OR_EQUAL", { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0x0b, "NO_EXCEPTION_HANDLING_SUPPORT", { NULL } },
	{ 0x0c, "MAXIMUM_WAIT_OBJECTS_EXCEEDED", { NULL } },
	{ 0x0d, "MUTEX_LEVEL_NUMBER_VIOLATION", { NULL } },
	{ 0x0e, "NO_USER_MODE_CONTEXT", { NULL } },
	{ 0x0f, "SPIN_LOCK_ALREADY_OWNED", { NULL } },
	{ 0x10, "SPIN_LOCK_NOT_OWNED", { NULL } },
	{ 0x11, "THREAD_NOT_MUTEX_OWNER", { NULL } },
	{ 0x12, "TRAP_CAUSE_UNKNOWN", { NULL } },
	{ 0x13, "EMPTY_THREAD_REAPER_LIST", { NULL } },
	{ 0x14, "CREATE_DELETE_LOCK_NOT_LOCKED", { NULL } },
	{ 0x15, "LAST_CHANCE_CALLED_FROM_KMODE", { NULL } },
	{ 0x16, "CID_HANDLE_CREATION", { NULL } },
	{ 0x17, "CID_HANDLE_DELETION", { NULL } },
	{ 0x18, "REFERENCE_BY_POINTER", { "the object's type", "the object" } },
	{ 0x19, "BAD_POOL_HEADER", { "which check failed", "the pool entry" } },
	{ 0x1a, "MEMORY_MANAGEMENT", { "which check failed" } },
	{ 0x1b, "PFN_SHARE_COUNT", { NULL } },
	{ 0x1c, "PFN_REFERENCE_COUNT", { NULL } },
	{ 0x1d, "NO_SPINLOCK_AVAILABLE", { NULL } },
	{ 0x1e,
	  "KMODE_EXCEPTION_NOT_HANDLED",
	  { CODE, ADDRESS, "the exception's parameter 0", "the exception's parameter 1" } },
	{ 0x1f, "SHARED_RESOURCE_CONV_ERROR", { NULL } },
	{ 0x20, "KERNEL_APC_PENDING_DURING_EXIT", { NULL } },
	{ 0x21, "QUOTA_UNDERFLOW", { NULL } },
	{ 0x22, "FILE_SYSTEM", { NULL } },
	{ 0x23, "FAT_FILE_SYSTEM", { NULL } },
	{ 0x24, "NTFS_FILE_SYSTEM", { "source file and line", "exception record", CONTEXT } },
	{ 0x25, "NPFS_FILE_SYSTEM", { NULL } },
	{ 0x26, "CDFS_FILE_SYSTEM", { NULL } },
	{ 0x27, "RDR_FILE_SYSTEM", { NULL } },
	{ 0x28, "CORRUPT_ACCESS_TOKEN", { NULL } },
	{ 0x29, "SECURITY_SYSTEM", { NULL } },
	{ 0x2a, "INCONSISTENT_IRP", { NULL } },
	{ 0x2b, "PANIC_STACK_SWITCH", { NULL } },
	{ 0x2c, "PORT_DRIVER_INTERNAL", { NULL } },
	{ 0x2d, "SCSI_DISK_DRIVER_INTERNAL", { NULL } },
	{ 0x2e, "DATA_BUS_ERROR", { NULL } },
	{ 0x2f, "INSTRUCTION_BUS_ERROR", { NULL } },
	{ 0x30, "SET_OF_INVALID_CONTEXT", { NULL } },
	{ 0x31, "PHASE0_INITIALIZATION_FAILED", { NULL } },
	{ 0x32, "PHASE1_INITIALIZATION_FAILED", { NULL } },
	{ 0x33, "UNEXPECTED_INITIALIZATION_CALL", { NULL } },
	{ 0x34, "CACHE_MANAGER", { NULL } },
	{ 0x35, "NO_MORE_IRP_STACK_LOCATIONS", { NULL } },
	{ 0x36, "DEVICE_REFERENCE_COUNT_NOT_ZERO", { NULL } },
	{ 0x37, "FLOPPY_INTERNAL_ERROR", { NULL } },
	{ 0x38, "SERIAL_DRIVER_INTERNAL", { NULL } },
	{ 0x39, "SYSTEM_EXIT_OWNED_MUTEX", { NULL } },
	{ 0x3b, "SYSTEM_SERVICE_EXCEPTION", { CODE, ADDRESS, CONTEXT } },
	{ 0x3e, "MULTIPROCESSOR_CONFIGURATION_NOT_SUPPORTED", { NULL } },
	{ 0x3f, "NO_MORE_SYSTEM_PTES", { NULL } },
	{ 0x40, "TARGET_MDL_TOO_SMALL", { NULL } },
	{ 0x41, "MUST_SUCCEED_POOL_EMPTY", { NULL } },
	{ 0x42, "ATDISK_DRIVER_INTERNAL", { NULL } },
	{ 0x44, "MULTIPLE_IRP_COMPLETE_REQUESTS", { "the IRP" } },
	{ 0x45, "INSUFFICIENT_SYSTEM_MAP_REGS", { NULL } },
	{ 0x48, "CANCEL_STATE_IN_COMPLETED_IRP", { NULL } },
	{ 0x49, "PAGE_FAULT_WITH_INTERRUPTS_OFF", { NULL } },
	{ 0x4a,
	  "IRQL_GT_ZERO_AT_SYSTEM_SERVICE",
	  { "the system function", "IRQL", "ApcStateIndex", "CombinedApcDisable" } },
	{ 0x4b, "STREAMS_INTERNAL_ERROR", { NULL } },
	{ 0x4c, "FATAL_UNHANDLED_HARD_ERROR", { "the status" } },
	{ 0x4d, "NO_PAGES_AVAILABLE", { NULL } },
	{ 0x4e, "PFN_LIST_CORRUPT", { NULL } },
	{ 0x4f, "NDIS_INTERNAL_ERROR", { NULL } },
	{ 0x50, "PAGE_FAULT_IN_NONPAGED_AREA", { MEMORY, ACCESS, INSTRUCTION } },
	{ 0x51, "REGISTRY_ERROR", { NULL } },
	{ 0x52, "MAILSLOT_FILE_SYSTEM", { NULL } },
	{ 0x53, "NO_BOOT_DEVICE", { NULL } },
	{ 0x54, "LM_SERVER_INTERNAL_ERROR", { NULL } },
	{ 0x55, "DATA_COHERENCY_EXCEPTION", { NULL } },
	{ 0x56, "INSTRUCTION_COHERENCY_EXCEPTION", { NULL } },
	{ 0x57, "XNS_INTERNAL_ERROR", { NULL } },
	{ 0x58, "FTDISK_INTERNAL_ERROR", { NULL } },
	{ 0x59, "PINBALL_FILE_SYSTEM", { NULL } },
	{ 0x5a, "CRITICAL_SERVICE_FAILED", { NULL } },
	{ 0x5b, "SET_ENV_VAR_FAILED", { NULL } },
	{ 0x5c, "HAL_INITIALIZATION_FAILED", { NULL } },
	{ 0x5d, "UNSUPPORTED_PROCESSOR", { NULL } },
	{ 0x5e, "OBJECT_INITIALIZATION_FAILED", { NULL } },
	{ 0x5f, "SECURITY_INITIALIZATION_FAILED", { NULL } },
	{ 0x60, "PROCESS_INITIALIZATION_FAILED", { NULL } },
	{ 0x61, "HAL1_INITIALIZATION_FAILED", { NULL } },
	{ 0x62, "OBJECT1_INITIALIZATION_FAILED", { NULL } },
	{ 0x63, "SECURITY1_INITIALIZATION_FAILED", { NULL } },
	{ 0x64, "SYMBOLIC_INITIALIZATION_FAILED", { NULL } },
	{ 0x65, "MEMORY1_INITIALIZATION_FAILED", { NULL } },
	{ 0x66, "CACHE_INITIALIZATION_FAILED", { NULL } },
	{ 0x67, "CONFIG_INITIALIZATION_FAILED", { NULL } },
	{ 0x68, "FILE_INITIALIZATION_FAILED", { NULL } },
	{ 0x69, "IO1_INITIALIZATION_FAILED", { NULL } },
	{ 0x6a, "LPC_INITIALIZATION_FAILED", { NULL } },
	{ 0x6b, "PROCESS1_INITIALIZATION_FAILED", { "the status", "which step failed" } },
	{ 0x6c, "REFMON_INITIALIZATION_FAILED", { NULL } },
	{ 0x6d, "SESSION1_INITIALIZATION_FAILED", { NULL } },
	{ 0x6e, "SESSION2_INITIALIZATION_FAILED", { NULL } },
	{ 0x6f, "SESSION3_INITIALIZATION_FAILED", { NULL } },
	{ 0x70, "SESSION4_INITIALIZATION_FAILED", { NULL } },
	{ 0x71, "SESSION5_INITIALIZATION_FAILED", { NULL } },
	{ 0x72, "ASSIGN_DRIVE_LETTERS_FAILED", { NULL } },
	{ 0x73, "CONFIG_LIST_FAILED", { NULL } },
	{ 0x74, "BAD_SYSTEM_CONFIG_INFO", { NULL } },
	{ 0x75, "CANNOT_WRITE_CONFIGURATION", { NULL } },
	{ 0x76, "PROCESS_HAS_LOCKED_PAGES", { NULL } },
	{ 0x77, "KERNEL_STACK_INPAGE_ERROR", { "the status", "the I/O status" } },
	{ 0x78, "PHASE0_EXCEPTION", { NULL } },
	{ 0x79, "MISMATCHED_HAL", { NULL } },
	{ 0x7a,
	  "KERNEL_DATA_INPAGE_ERROR",
	  { "the lock or page table entry", "the status", "the process or page", "the memory" } },
	{ 0x7b, "INACCESSIBLE_BOOT_DEVICE", { "the device object or its name" } },
	{ 0x7c, "BUGCODE_NDIS_DRIVER", { NULL } },
	{ 0x7d, "INSTALL_MORE_MEMORY", { NULL } },
	{ 0x7e, "SYSTEM_THREAD_EXCEPTION_NOT_HANDLED", { CODE, ADDRESS, "exception record", CONTEXT } },
	{ 0x7f, "UNEXPECTED_KERNEL_MODE_TRAP", { "the processor's trap" } },
	{ 0x80, "NMI_HARDWARE_FAILURE", { NULL } },
	{ 0x81, "SPIN_LOCK_INIT_FAILURE", { NULL } },
	{ 0x8e, "KERNEL_MODE_EXCEPTION_NOT_HANDLED", { CODE, ADDRESS, "trap frame" } },
	{ 0x8f, "PP0_INITIALIZATION_FAILED", { NULL } },
	{ 0x90, "PP1_INITIALIZATION_FAILED", { NULL } },
	{ 0x91, "WIN32K_INIT_OR_RIT_FAILURE", { NULL } },
	{ 0x92, "UP_DRIVER_ON_MP_SYSTEM", { NULL } },
	{ 0x93, "INVALID_KERNEL_HANDLE", { NULL } },
	{ 0x94, "KERNEL_STACK_LOCKED_AT_EXIT", { NULL } },
	{ 0x96, "INVALID_WORK_QUEUE_ITEM", { NULL } },
	{ 0x97, "BOUND_IMAGE_UNSUPPORTED", { NULL } },
	{ 0x9a, "MORAL_EXCEPTION_ERROR", { NULL } },
	{ 0x9c, "MACHINE_CHECK_EXCEPTION", { NULL } },
	{ 0x9f, "DRIVER_POWER_STATE_FAILURE", { "which check failed" } },
	{ 0xa0, "INTERNAL_POWER_ERROR", { NULL } },
	{ 0xa1, "PCI_BUS_DRIVER_INTERNAL", { NULL } },
	{ 0xa5, "ACPI_BIOS_ERROR", { NULL } },
	{ 0xab, "SESSION_HAS_VALID_POOL_ON_EXIT", { NULL } },
	{ 0xac, "HAL_MEMORY_ALLOCATION", { NULL } },
	{ 0xb4, "VIDEO_DRIVER_INIT_FAILURE", { NULL } },
	{ 0xb8, "ATTEMPTED_SWITCH_FROM_DPC", { NULL } },
	{ 0xbe, "ATTEMPTED_WRITE_TO_READONLY_MEMORY", { MEMORY, "page table entry" } },
	{ 0xc1, "SPECIAL_POOL_DETECTED_MEMORY_CORRUPTION", { NULL } },
	{ 0xc2, "BAD_POOL_CALLER", { "which check failed" } },
	{ 0xc4, "DRIVER_VERIFIER_DETECTED_VIOLATION", { "which check failed" } },
	{ 0xc5, "DRIVER_CORRUPTED_EXPOOL", { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xc6, "DRIVER_CAUGHT_MODIFYING_FREED_POOL", { NULL } },
	{ 0xc7, "TIMER_OR_DPC_INVALID", { NULL } },
	{ 0xc8, "IRQL_UNEXPECTED_VALUE", { NULL } },
	{ 0xc9, "DRIVER_VERIFIER_IOMANAGER_VIOLATION", { NULL } },
	{ 0xca, "PNP_DETECTED_FATAL_ERROR", { NULL } },
	{ 0xcb, "DRIVER_LEFT_LOCKED_PAGES_IN_PROCESS", { NULL } },
	{ 0xcc, "PAGE_FAULT_IN_FREED_SPECIAL_POOL", { MEMORY, ACCESS, INSTRUCTION } },
	{ 0xcd, "PAGE_FAULT_BEYOND_END_OF_ALLOCATION", { MEMORY, ACCESS, INSTRUCTION } },
	{ 0xce, "DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS", { MEMORY, ACCESS, INSTRUCTION } },
	{ 0xcf, "TERMINAL_SERVER_DRIVER_MADE_INCORRECT_MEMORY_REFERENCE", { NULL } },
	{ 0xd0, "DRIVER_CORRUPTED_MMPOOL", { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd1, "DRIVER_IRQL_NOT_LESS_OR_EQUAL", { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd3, "DRIVER_PORTION_MUST_BE_NONPAGED", { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd4, "SYSTEM_SCAN_AT_RAISED_IRQL_CAUGHT_IMPROPER_DRIVER_UNLOAD", { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd5, "DRIVER_PAGE_FAULT_IN_FREED_SPECIAL_POOL", { MEMORY, ACCESS, INSTRUCTION } },
	{ 0xd6, "DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION", { MEMORY, ACCESS, INSTRUCTION } },
	{ 0xd7, "DRIVER_UNMAPPING_INVALID_VIEW", { NULL } },
	{ 0xd8, "DRIVER_USED_EXCESSIVE_PTES", { NULL } },
	{ 0xd9, "LOCKED_PAGES_TRACKER_CORRUPTION", { NULL } },
	{ 0xda, "SYSTEM_PTE_MISUSE", { NULL } },
	{ 0xdb, "DRIVER_CORRUPTED_SYSPTES", { NULL } },
	{ 0xdc, "DRIVER_INVALID_STACK_ACCESS", { NULL } },
	{ 0xde, "POOL_CORRUPTION_IN_FILE_AREA", { NULL } },
	{ 0xdf, "IMPERSONATING_WORKER_THREAD", { NULL } },
	{ 0xe0, "ACPI_BIOS_FATAL_ERROR", { NULL } },
	{ 0xe1, "WORKER_THREAD_RETURNED_AT_BAD_IRQL", { NULL } },
	{ 0xe2, "MANUALLY_INITIATED_CRASH", { NULL } },
	{ 0xe3, "RESOURCE_NOT_OWNED", { NULL } },
	{ 0xe4, "WORKER_INVALID", { NULL } },
	{ 0xe5, "POWER_FAILURE_SIMULATE", { NULL } },
	{ 0xe6, "DRIVER_VERIFIER_DMA_VIOLATION", { NULL } },
	{ 0xe7, "INVALID_FLOATING_POINT_STATE", { NULL } },
	{ 0xe8, "INVALID_CANCEL_OF_FILE_OPEN", { NULL } },
	{ 0xe9, "ACTIVE_EX_WORKER_THREAD_TERMINATION", { NULL } },
	{ 0xea, "THREAD_STUCK_IN_DEVICE_DRIVER", { NULL } },
	{ 0xed, "UNMOUNTABLE_BOOT_VOLUME", { NULL } },
	{ 0xef, "CRITICAL_PROCESS_DIED", { "the process or thread", "0: process, 1: thread" } },
	{ 0xf4,
	  "CRITICAL_OBJECT_TERMINATION",
	  { "3: process, 6: thread", "the object", "its image's name", "the message" } },
	{ 0xf6, "PCI_VERIFIER_DETECTED_VIOLATION", { NULL } },
	{ 0xf7, "DRIVER_OVERRAN_STACK_BUFFER", { NULL } },
	{ 0xf8, "RAMDISK_BOOT_INITIALIZATION_FAILED", { NULL } },
	{ 0xf9, "DRIVER_RETURNED_STATUS_REPARSE_FOR_VOLUME_OPEN", { NULL } },
	{ 0xfa, "HTTP_DRIVER_CORRUPTED", { NULL } },
	{ 0xfc, "ATTEMPTED_EXECUTE_OF_NOEXECUTE_MEMORY", { "the memory that was executed", "page table entry" } },
	{ 0xfd, "DIRTY_NOWRITE_PAGES_CONGESTION", { NULL } },
	{ 0xfe, "BUGCODE_USB_DRIVER", { NULL } },
	{ 0x101, "CLOCK_WATCHDOG_TIMEOUT", { NULL } },
	{ 0x109, "CRITICAL_STRUCTURE_CORRUPTION", { NULL } },
	{ 0x10d, "WDF_VIOLATION", { NULL } },
	{ 0x10e, "VIDEO_MEMORY_MANAGEMENT_INTERNAL", { NULL } },
	{ 0x113, "VIDEO_DXGKRNL_FATAL_ERROR", { NULL } },
	{ 0x116, "VIDEO_TDR_ERROR", { NULL } },
	{ 0x117, "VIDEO_TDR_TIMEOUT_DETECTED", { NULL } },
	{ 0x119, "VIDEO_SCHEDULER_INTERNAL_ERROR", { NULL } },
	{ 0x122, "WHEA_INTERNAL_ERROR", { NULL } },
	{ 0x124, "WHEA_UNCORRECTABLE_ERROR", { NULL } },
	{ 0x127, "PAGE_NOT_ZERO", { NULL } },
	{ 0x12b, "FAULTY_HARDWARE_CORRUPTED_PAGE", { NULL } },
	{ 0x133, "DPC_WATCHDOG_VIOLATION", { NULL } },
	{ 0x139, "KERNEL_SECURITY_CHECK_FAILURE", { "which check failed", "trap frame", "exception record" } },
	{ 0x13a, "KERNEL_MODE_HEAP_CORRUPTION", { NULL } },
	{ 0x144, "BUGCODE_USB3_DRIVER", { NULL } },
	{ 0x151, "UNSUPPORTED_INSTRUCTION_MODE", { NULL } },
	{ 0x154, "UNEXPECTED_STORE_EXCEPTION", { NULL } },
	{ 0x19a, "WORKER_THREAD_RETURNED_WHILE_ATTACHED_TO_SILO", { NULL } },
	{ 0x1d6, "WORKER_THREAD_INVALID_STATE", { NULL } },
	{ 0xc0000218, "STATUS_CANNOT_LOAD_REGISTRY_FILE", { NULL } },
	{ 0xc000021a, "STATUS_SYSTEM_PROCESS_TERMINATED", { NULL } },
	{ 0xc0000221, "STATUS_IMAGE_CHECKSUM_MISMATCH", { NULL } },
	{ 0xdeaddead, "MANUALLY_INITIATED_CRASH1", { NULL } },
};

/* Returns the element of the COUNT CODES that has CODE; NULL if there is none. */
static const struct code_meaning *find_code(const struct code_meaning *codes, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++)
		if (codes[i].code == code)
			return &codes[i];
	return NULL;
}

/* Find a bugcheck by its CODE, without the flag 0x10000000, which Windows adds to some codes. */
static const struct code_meaning *find_bugcheck(uint32_t code)
{
	return find_code(bugchecks, sizeof bugchecks / sizeof *bugchecks,
			 code >> 28 == 1 ? code & UINT32_C(0x0fffffff) : code);
}

const char *find_exception_name(uint32_t code)
{
	const struct code_meaning *found = find_code(exceptions, sizeof exceptions / sizeof *exceptions, code);
	return found ? found->name : NULL;
}

const char *find_bugcheck_name(uint32_t code)
{
	const struct code_meaning *found = find_bugcheck(code);
	return found ? found->name : NULL;
}

const char *find_bugcheck_meaning(uint32_t code, unsigned parameter)
{
	const struct code_meaning *found = find_bugcheck(code);
	return found ? found->parameters[parameter] : NULL;
}

bool bugcheck_has_exception(uint32_t code)
{
	const char *meaning = find_bugcheck_meaning(code, 0);
	return meaning && strcmp(meaning, CODE) == 0;
}

bool bugcheck_parameter_is_context(uint32_t code, unsigned parameter)
{
	const char *meaning = find_bugcheck_meaning(code, parameter);
	return meaning && strcmp(meaning, CONTEXT) == 0;
}
