// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/code-names.h"

#include <stddef.h>
#include <string.h>

struct code_name {
	uint32_t code;
	const char *name;
};

static const struct code_name exceptions[] = {
	{ 0x40010005, "DBG_CONTROL_C" },
	{ 0x4000001f, "STATUS_WX86_BREAKPOINT" },
	{ 0x80000001, "EXCEPTION_GUARD_PAGE" },
	{ 0x80000002, "EXCEPTION_DATATYPE_MISALIGNMENT" },
	{ 0x80000003, "EXCEPTION_BREAKPOINT" },
	{ 0x80000004, "EXCEPTION_SINGLE_STEP" },
	{ 0xc0000005, "EXCEPTION_ACCESS_VIOLATION" },
	{ 0xc0000006, "EXCEPTION_IN_PAGE_ERROR" },
	{ 0xc0000008, "EXCEPTION_INVALID_HANDLE" },
	{ 0xc000000d, "STATUS_INVALID_PARAMETER" },
	{ 0xc0000017, "STATUS_NO_MEMORY" },
	{ 0xc000001d, "EXCEPTION_ILLEGAL_INSTRUCTION" },
	{ 0xc0000025, "EXCEPTION_NONCONTINUABLE_EXCEPTION" },
	{ 0xc0000026, "EXCEPTION_INVALID_DISPOSITION" },
	{ 0xc000008c, "EXCEPTION_ARRAY_BOUNDS_EXCEEDED" },
	{ 0xc000008d, "EXCEPTION_FLT_DENORMAL_OPERAND" },
	{ 0xc000008e, "EXCEPTION_FLT_DIVIDE_BY_ZERO" },
	{ 0xc000008f, "EXCEPTION_FLT_INEXACT_RESULT" },
	{ 0xc0000090, "EXCEPTION_FLT_INVALID_OPERATION" },
	{ 0xc0000091, "EXCEPTION_FLT_OVERFLOW" },
	{ 0xc0000092, "EXCEPTION_FLT_STACK_CHECK" },
	{ 0xc0000093, "EXCEPTION_FLT_UNDERFLOW" },
	{ 0xc0000094, "EXCEPTION_INT_DIVIDE_BY_ZERO" },
	{ 0xc0000095, "EXCEPTION_INT_OVERFLOW" },
	{ 0xc0000096, "EXCEPTION_PRIV_INSTRUCTION" },
	{ 0xc00000fd, "EXCEPTION_STACK_OVERFLOW" },
	{ 0xc0000135, "STATUS_DLL_NOT_FOUND" },
	{ 0xc0000139, "STATUS_ENTRYPOINT_NOT_FOUND" },
	{ 0xc0000194, "EXCEPTION_POSSIBLE_DEADLOCK" },
	{ 0xc0000374, "STATUS_HEAP_CORRUPTION" },
	{ 0xc0000409, "STATUS_STACK_BUFFER_OVERRUN" },
	{ 0xc0000417, "STATUS_INVALID_CRUNTIME_PARAMETER" },
	{ 0xc0000420, "STATUS_ASSERTION_FAILURE" },
	{ 0xe06d7363, "C++ exception of Visual C++" },
};

static const struct code_name bugchecks[] = {
	{ 0x00, "UNDEFINED_BUG_CODE" },
	{ 0x01, "APC_INDEX_MISMATCH" },
	{ 0x02, "DEVICE_QUEUE_NOT_BUSY" },
	{ 0x03, "INVALID_AFFINITY_SET" },
	{ 0x04, "INVALID_DATA_ACCESS_TRAP" },
	{ 0x05, "INVALID_PROCESS_ATTACH_ATTEMPT" },
	{ 0x06, "INVALID_PROCESS_DETACH_ATTEMPT" },
	{ 0x07, "INVALID_SOFTWARE_INTERRUPT" },
	{ 0x08, "IRQL_NOT_DISPATCH_LEVEL" },
	{ 0x09, "IRQL_NOT_GREATER_OR_EQUAL" },
	{ 0x0a, "IRQL_NOT_LESS_OR_EQUAL" },
	{ 0x0b, "NO_EXCEPTION_HANDLING_SUPPORT" },
	{ 0x0c, "MAXIMUM_WAIT_OBJECTS_EXCEEDED" },
	{ 0x0d, "MUTEX_LEVEL_NUMBER_VIOLATION" },
	{ 0x0e, "NO_USER_MODE_CONTEXT" },
	{ 0x0f, "SPIN_LOCK_ALREADY_OWNED" },
	{ 0x10, "SPIN_LOCK_NOT_OWNED" },
	{ 0x11, "THREAD_NOT_MUTEX_OWNER" },
	{ 0x12, "TRAP_CAUSE_UNKNOWN" },
	{ 0x13, "EMPTY_THREAD_REAPER_LIST" },
	{ 0x14, "CREATE_DELETE_LOCK_NOT_LOCKED" },
	{ 0x15, "LAST_CHANCE_CALLED_FROM_KMODE" },
	{ 0x16, "CID_HANDLE_CREATION" },
	{ 0x17, "CID_HANDLE_DELETION" },
	{ 0x18, "REFERENCE_BY_POINTER" },
	{ 0x19, "BAD_POOL_HEADER" },
	{ 0x1a, "MEMORY_MANAGEMENT" },
	{ 0x1b, "PFN_SHARE_COUNT" },
	{ 0x1c, "PFN_REFERENCE_COUNT" },
	{ 0x1d, "NO_SPINLOCK_AVAILABLE" },
	{ 0x1e, "KMODE_EXCEPTION_NOT_HANDLED" },
	{ 0x1f, "SHARED_RESOURCE_CONV_ERROR" },
	{ 0x20, "KERNEL_APC_PENDING_DURING_EXIT" },
	{ 0x21, "QUOTA_UNDERFLOW" },
	{ 0x22, "FILE_SYSTEM" },
	{ 0x23, "FAT_FILE_SYSTEM" },
	{ 0x24, "NTFS_FILE_SYSTEM" },
	{ 0x25, "NPFS_FILE_SYSTEM" },
	{ 0x26, "CDFS_FILE_SYSTEM" },
	{ 0x27, "RDR_FILE_SYSTEM" },
	{ 0x28, "CORRUPT_ACCESS_TOKEN" },
	{ 0x29, "SECURITY_SYSTEM" },
	{ 0x2a, "INCONSISTENT_IRP" },
	{ 0x2b, "PANIC_STACK_SWITCH" },
	{ 0x2c, "PORT_DRIVER_INTERNAL" },
	{ 0x2d, "SCSI_DISK_DRIVER_INTERNAL" },
	{ 0x2e, "DATA_BUS_ERROR" },
	{ 0x2f, "INSTRUCTION_BUS_ERROR" },
	{ 0x30, "SET_OF_INVALID_CONTEXT" },
	{ 0x31, "PHASE0_INITIALIZATION_FAILED" },
	{ 0x32, "PHASE1_INITIALIZATION_FAILED" },
	{ 0x33, "UNEXPECTED_INITIALIZATION_CALL" },
	{ 0x34, "CACHE_MANAGER" },
	{ 0x35, "NO_MORE_IRP_STACK_LOCATIONS" },
	{ 0x36, "DEVICE_REFERENCE_COUNT_NOT_ZERO" },
	{ 0x37, "FLOPPY_INTERNAL_ERROR" },
	{ 0x38, "SERIAL_DRIVER_INTERNAL" },
	{ 0x39, "SYSTEM_EXIT_OWNED_MUTEX" },
	{ 0x3b, "SYSTEM_SERVICE_EXCEPTION" },
	{ 0x3e, "MULTIPROCESSOR_CONFIGURATION_NOT_SUPPORTED" },
	{ 0x3f, "NO_MORE_SYSTEM_PTES" },
	{ 0x40, "TARGET_MDL_TOO_SMALL" },
	{ 0x41, "MUST_SUCCEED_POOL_EMPTY" },
	{ 0x42, "ATDISK_DRIVER_INTERNAL" },
	{ 0x44, "MULTIPLE_IRP_COMPLETE_REQUESTS" },
	{ 0x45, "INSUFFICIENT_SYSTEM_MAP_REGS" },
	{ 0x48, "CANCEL_STATE_IN_COMPLETED_IRP" },
	{ 0x49, "PAGE_FAULT_WITH_INTERRUPTS_OFF" },
	{ 0x4a, "IRQL_GT_ZERO_AT_SYSTEM_SERVICE" },
	{ 0x4b, "STREAMS_INTERNAL_ERROR" },
	{ 0x4c, "FATAL_UNHANDLED_HARD_ERROR" },
	{ 0x4d, "NO_PAGES_AVAILABLE" },
	{ 0x4e, "PFN_LIST_CORRUPT" },
	{ 0x4f, "NDIS_INTERNAL_ERROR" },
	{ 0x50, "PAGE_FAULT_IN_NONPAGED_AREA" },
	{ 0x51, "REGISTRY_ERROR" },
	{ 0x52, "MAILSLOT_FILE_SYSTEM" },
	{ 0x53, "NO_BOOT_DEVICE" },
	{ 0x54, "LM_SERVER_INTERNAL_ERROR" },
	{ 0x55, "DATA_COHERENCY_EXCEPTION" },
	{ 0x56, "INSTRUCTION_COHERENCY_EXCEPTION" },
	{ 0x57, "XNS_INTERNAL_ERROR" },
	{ 0x58, "FTDISK_INTERNAL_ERROR" },
	{ 0x59, "PINBALL_FILE_SYSTEM" },
	{ 0x5a, "CRITICAL_SERVICE_FAILED" },
	{ 0x5b, "SET_ENV_VAR_FAILED" },
	{ 0x5c, "HAL_INITIALIZATION_FAILED" },
	{ 0x5d, "UNSUPPORTED_PROCESSOR" },
	{ 0x5e, "OBJECT_INITIALIZATION_FAILED" },
	{ 0x5f, "SECURITY_INITIALIZATION_FAILED" },
	{ 0x60, "PROCESS_INITIALIZATION_FAILED" },
	{ 0x61, "HAL1_INITIALIZATION_FAILED" },
	{ 0x62, "OBJECT1_INITIALIZATION_FAILED" },
	{ 0x63, "SECURITY1_INITIALIZATION_FAILED" },
	{ 0x64, "SYMBOLIC_INITIALIZATION_FAILED" },
	{ 0x65, "MEMORY1_INITIALIZATION_FAILED" },
	{ 0x66, "CACHE_INITIALIZATION_FAILED" },
	{ 0x67, "CONFIG_INITIALIZATION_FAILED" },
	{ 0x68, "FILE_INITIALIZATION_FAILED" },
	{ 0x69, "IO1_INITIALIZATION_FAILED" },
	{ 0x6a, "LPC_INITIALIZATION_FAILED" },
	{ 0x6b, "PROCESS1_INITIALIZATION_FAILED" },
	{ 0x6c, "REFMON_INITIALIZATION_FAILED" },
	{ 0x6d, "SESSION1_INITIALIZATION_FAILED" },
	{ 0x6e, "SESSION2_INITIALIZATION_FAILED" },
	{ 0x6f, "SESSION3_INITIALIZATION_FAILED" },
	{ 0x70, "SESSION4_INITIALIZATION_FAILED" },
	{ 0x71, "SESSION5_INITIALIZATION_FAILED" },
	{ 0x72, "ASSIGN_DRIVE_LETTERS_FAILED" },
	{ 0x73, "CONFIG_LIST_FAILED" },
	{ 0x74, "BAD_SYSTEM_CONFIG_INFO" },
	{ 0x75, "CANNOT_WRITE_CONFIGURATION" },
	{ 0x76, "PROCESS_HAS_LOCKED_PAGES" },
	{ 0x77, "KERNEL_STACK_INPAGE_ERROR" },
	{ 0x78, "PHASE0_EXCEPTION" },
	{ 0x79, "MISMATCHED_HAL" },
	{ 0x7a, "KERNEL_DATA_INPAGE_ERROR" },
	{ 0x7b, "INACCESSIBLE_BOOT_DEVICE" },
	{ 0x7c, "BUGCODE_NDIS_DRIVER" },
	{ 0x7d, "INSTALL_MORE_MEMORY" },
	{ 0x7e, "SYSTEM_THREAD_EXCEPTION_NOT_HANDLED" },
	{ 0x7f, "UNEXPECTED_KERNEL_MODE_TRAP" },
	{ 0x80, "NMI_HARDWARE_FAILURE" },
	{ 0x81, "SPIN_LOCK_INIT_FAILURE" },
	{ 0x8e, "KERNEL_MODE_EXCEPTION_NOT_HANDLED" },
	{ 0x8f, "PP0_INITIALIZATION_FAILED" },
	{ 0x90, "PP1_INITIALIZATION_FAILED" },
	{ 0x91, "WIN32K_INIT_OR_RIT_FAILURE" },
	{ 0x92, "UP_DRIVER_ON_MP_SYSTEM" },
	{ 0x93, "INVALID_KERNEL_HANDLE" },
	{ 0x94, "KERNEL_STACK_LOCKED_AT_EXIT" },
	{ 0x96, "INVALID_WORK_QUEUE_ITEM" },
	{ 0x97, "BOUND_IMAGE_UNSUPPORTED" },
	{ 0x9a, "MORAL_EXCEPTION_ERROR" },
	{ 0x9c, "MACHINE_CHECK_EXCEPTION" },
	{ 0x9f, "DRIVER_POWER_STATE_FAILURE" },
	{ 0xa0, "INTERNAL_POWER_ERROR" },
	{ 0xa1, "PCI_BUS_DRIVER_INTERNAL" },
	{ 0xa5, "ACPI_BIOS_ERROR" },
	{ 0xab, "SESSION_HAS_VALID_POOL_ON_EXIT" },
	{ 0xac, "HAL_MEMORY_ALLOCATION" },
	{ 0xb4, "VIDEO_DRIVER_INIT_FAILURE" },
	{ 0xb8, "ATTEMPTED_SWITCH_FROM_DPC" },
	{ 0xbe, "ATTEMPTED_WRITE_TO_READONLY_MEMORY" },
	{ 0xc1, "SPECIAL_POOL_DETECTED_MEMORY_CORRUPTION" },
	{ 0xc2, "BAD_POOL_CALLER" },
	{ 0xc4, "DRIVER_VERIFIER_DETECTED_VIOLATION" },
	{ 0xc5, "DRIVER_CORRUPTED_EXPOOL" },
	{ 0xc6, "DRIVER_CAUGHT_MODIFYING_FREED_POOL" },
	{ 0xc7, "TIMER_OR_DPC_INVALID" },
	{ 0xc8, "IRQL_UNEXPECTED_VALUE" },
	{ 0xc9, "DRIVER_VERIFIER_IOMANAGER_VIOLATION" },
	{ 0xca, "PNP_DETECTED_FATAL_ERROR" },
	{ 0xcb, "DRIVER_LEFT_LOCKED_PAGES_IN_PROCESS" },
	{ 0xcc, "PAGE_FAULT_IN_FREED_SPECIAL_POOL" },
	{ 0xcd, "PAGE_FAULT_BEYOND_END_OF_ALLOCATION" },
	{ 0xce, "DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS" },
	{ 0xcf, "TERMINAL_SERVER_DRIVER_MADE_INCORRECT_MEMORY_REFERENCE" },
	{ 0xd0, "DRIVER_CORRUPTED_MMPOOL" },
	{ 0xd1, "DRIVER_IRQL_NOT_LESS_OR_EQUAL" },
	{ 0xd3, "DRIVER_PORTION_MUST_BE_NONPAGED" },
	{ 0xd4, "SYSTEM_SCAN_AT_RAISED_IRQL_CAUGHT_IMPROPER_DRIVER_UNLOAD" },
	{ 0xd5, "DRIVER_PAGE_FAULT_IN_FREED_SPECIAL_POOL" },
	{ 0xd6, "DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION" },
	{ 0xd7, "DRIVER_UNMAPPING_INVALID_VIEW" },
	{ 0xd8, "DRIVER_USED_EXCESSIVE_PTES" },
	{ 0xd9, "LOCKED_PAGES_TRACKER_CORRUPTION" },
	{ 0xda, "SYSTEM_PTE_MISUSE" },
	{ 0xdb, "DRIVER_CORRUPTED_SYSPTES" },
	{ 0xdc, "DRIVER_INVALID_STACK_ACCESS" },
	{ 0xde, "POOL_CORRUPTION_IN_FILE_AREA" },
	{ 0xdf, "IMPERSONATING_WORKER_THREAD" },
	{ 0xe0, "ACPI_BIOS_FATAL_ERROR" },
	{ 0xe1, "WORKER_THREAD_RETURNED_AT_BAD_IRQL" },
	{ 0xe2, "MANUALLY_INITIATED_CRASH" },
	{ 0xe3, "RESOURCE_NOT_OWNED" },
	{ 0xe4, "WORKER_INVALID" },
	{ 0xe5, "POWER_FAILURE_SIMULATE" },
	{ 0xe6, "DRIVER_VERIFIER_DMA_VIOLATION" },
	{ 0xe7, "INVALID_FLOATING_POINT_STATE" },
	{ 0xe8, "INVALID_CANCEL_OF_FILE_OPEN" },
	{ 0xe9, "ACTIVE_EX_WORKER_THREAD_TERMINATION" },
	{ 0xea, "THREAD_STUCK_IN_DEVICE_DRIVER" },
	{ 0xed, "UNMOUNTABLE_BOOT_VOLUME" },
	{ 0xef, "CRITICAL_PROCESS_DIED" },
	{ 0xf4, "CRITICAL_OBJECT_TERMINATION" },
	{ 0xf6, "PCI_VERIFIER_DETECTED_VIOLATION" },
	{ 0xf7, "DRIVER_OVERRAN_STACK_BUFFER" },
	{ 0xf8, "RAMDISK_BOOT_INITIALIZATION_FAILED" },
	{ 0xf9, "DRIVER_RETURNED_STATUS_REPARSE_FOR_VOLUME_OPEN" },
	{ 0xfa, "HTTP_DRIVER_CORRUPTED" },
	{ 0xfc, "ATTEMPTED_EXECUTE_OF_NOEXECUTE_MEMORY" },
	{ 0xfd, "DIRTY_NOWRITE_PAGES_CONGESTION" },
	{ 0xfe, "BUGCODE_USB_DRIVER" },
	{ 0x101, "CLOCK_WATCHDOG_TIMEOUT" },
	{ 0x109, "CRITICAL_STRUCTURE_CORRUPTION" },
	{ 0x10d, "WDF_VIOLATION" },
	{ 0x10e, "VIDEO_MEMORY_MANAGEMENT_INTERNAL" },
	{ 0x113, "VIDEO_DXGKRNL_FATAL_ERROR" },
	{ 0x116, "VIDEO_TDR_ERROR" },
	{ 0x117, "VIDEO_TDR_TIMEOUT_DETECTED" },
	{ 0x119, "VIDEO_SCHEDULER_INTERNAL_ERROR" },
	{ 0x122, "WHEA_INTERNAL_ERROR" },
	{ 0x124, "WHEA_UNCORRECTABLE_ERROR" },
	{ 0x127, "PAGE_NOT_ZERO" },
	{ 0x12b, "FAULTY_HARDWARE_CORRUPTED_PAGE" },
	{ 0x133, "DPC_WATCHDOG_VIOLATION" },
	{ 0x139, "KERNEL_SECURITY_CHECK_FAILURE" },
	{ 0x13a, "KERNEL_MODE_HEAP_CORRUPTION" },
	{ 0x144, "BUGCODE_USB3_DRIVER" },
	{ 0x151, "UNSUPPORTED_INSTRUCTION_MODE" },
	{ 0x154, "UNEXPECTED_STORE_EXCEPTION" },
	{ 0x19a, "WORKER_THREAD_RETURNED_WHILE_ATTACHED_TO_SILO" },
	{ 0x1d6, "WORKER_THREAD_INVALID_STATE" },
	{ 0xc0000218, "STATUS_CANNOT_LOAD_REGISTRY_FILE" },
	{ 0xc000021a, "STATUS_SYSTEM_PROCESS_TERMINATED" },
	{ 0xc0000221, "STATUS_IMAGE_CHECKSUM_MISMATCH" },
	{ 0xdeaddead, "MANUALLY_INITIATED_CRASH1" },
};

#define ACCESS "0: read, 1: write, 8: execute"
#define MEMORY "the memory that was accessed"
#define INSTRUCTION "the instruction that accessed it"
#define CODE "the exception code"
#define CONTEXT "context record"
#define ADDRESS "where the exception occurred"

/* What parameters mean, shortened from Microsoft's "Bug Check Code Reference". */
static const struct {
	uint32_t code;
	const char *parameters[BUGCHECK_PARAMETERS];
} meanings[] = {
	{ 0x01, { "the system function", "ApcStateIndex", "CombinedApcDisable", "0: system call, 1: worker routine" } },
	{ 0x0a, { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0x18, { "the object's type", "the object", NULL, NULL } },
	{ 0x19, { "which check failed", "the pool entry", NULL, NULL } },
	{ 0x1a, { "which check failed", NULL, NULL, NULL } },
	{ 0x1e, { CODE, ADDRESS, "the exception's parameter 0", "the exception's parameter 1" } },
	{ 0x24, { "source file and line", "exception record", CONTEXT, NULL } },
	{ 0x3b, { CODE, ADDRESS, CONTEXT, NULL } },
	{ 0x44, { "the IRP", NULL, NULL, NULL } },
	{ 0x4a, { "the system function", "IRQL", "ApcStateIndex", "CombinedApcDisable" } },
	{ 0x4c, { "the status", NULL, NULL, NULL } },
	{ 0x50, { MEMORY, ACCESS, INSTRUCTION, NULL } },
	{ 0x6b, { "the status", "which step failed", NULL, NULL } },
	{ 0x77, { "the status", "the I/O status", NULL, NULL } },
	{ 0x7a, { "the lock or page table entry", "the status", "the process or page", "the memory" } },
	{ 0x7b, { "the device object or its name", NULL, NULL, NULL } },
	{ 0x7e, { CODE, ADDRESS, "exception record", CONTEXT } },
	{ 0x7f, { "the processor's trap", NULL, NULL, NULL } },
	{ 0x8e, { CODE, ADDRESS, "trap frame", NULL } },
	{ 0x9f, { "which check failed", NULL, NULL, NULL } },
	{ 0xbe, { MEMORY, "page table entry", NULL, NULL } },
	{ 0xc2, { "which check failed", NULL, NULL, NULL } },
	{ 0xc4, { "which check failed", NULL, NULL, NULL } },
	{ 0xc5, { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xcc, { MEMORY, ACCESS, INSTRUCTION, NULL } },
	{ 0xcd, { MEMORY, ACCESS, INSTRUCTION, NULL } },
	{ 0xce, { MEMORY, ACCESS, INSTRUCTION, NULL } },
	{ 0xd0, { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd1, { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd3, { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd4, { MEMORY, "IRQL", ACCESS, INSTRUCTION } },
	{ 0xd5, { MEMORY, ACCESS, INSTRUCTION, NULL } },
	{ 0xd6, { MEMORY, ACCESS, INSTRUCTION, NULL } },
	{ 0xef, { "the process or thread", "0: process, 1: thread", NULL, NULL } },
	{ 0xf4, { "3: process, 6: thread", "the object", "its image's name", "the message" } },
	{ 0xfc, { "the memory that was executed", "page table entry", NULL, NULL } },
	{ 0x139, { "which check failed", "trap frame", "exception record", NULL } },
};

static uint32_t strip_added_flag(uint32_t code)
{
	return code >> 28 == 1 ? code & UINT32_C(0x0fffffff) : code;
}

/* Returns the name of CODE among the COUNT NAMES; NULL if it is not there. */
static const char *find_name(const struct code_name *names, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].code == code)
			return names[i].name;
	return NULL;
}

const char *exception_name(uint32_t code)
{
	return find_name(exceptions, sizeof exceptions / sizeof *exceptions, code);
}

const char *bugcheck_name(uint32_t code)
{
	return find_name(bugchecks, sizeof bugchecks / sizeof *bugchecks, strip_added_flag(code));
}

const char *bugcheck_meaning(uint32_t code, unsigned parameter)
{
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].code == strip_added_flag(code))
			return meanings[i].parameters[parameter];
	return NULL;
}

bool bugcheck_has_exception(uint32_t code)
{
	const char *meaning = bugcheck_meaning(code, 0);
	return meaning && strcmp(meaning, CODE) == 0;
}

bool bugcheck_is_context(uint32_t code, unsigned parameter)
{
	const char *meaning = bugcheck_meaning(code, parameter);
	return meaning && strcmp(meaning, CONTEXT) == 0;
}
